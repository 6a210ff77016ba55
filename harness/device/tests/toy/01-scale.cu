// SPDX-License-Identifier: MIT OR Apache-2.0
// Kernels that try out a device: one that computes, one that takes its time, one that strays.

__constant__ float factor;

extern "C" __global__ void scale(int n, const float* in, float* out)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        out[i] = in[i] * factor;
    }
}

extern "C" __global__ void spin(int rounds, float* out)
{
    float value = 1.0f;
    for (int round = 0; round < rounds; round++) {
        value = value * 0.5f + factor;
    }
    out[threadIdx.x] = value;
}

extern "C" __global__ void stray(int address)
{
    *reinterpret_cast<float*>(static_cast<long long>(address)) = 1.0f;
}
