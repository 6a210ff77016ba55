// SPDX-License-Identifier: MIT OR Apache-2.0
// Kernels that try out a device: one computes, one takes its time, one strays, one marks a byte, one never ends.

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

extern "C" __global__ void mark(char* buffer, int offset)
{
    buffer[offset] = 1;
}

extern "C" __global__ void hang(int seed, unsigned int* last)
{
    // Marsaglia's generator of period 2^64 - 1 never gives 0. The compiler cannot know, and may leave out no volatile
    // store: a loop without effects it would.
    unsigned long long state = seed;
    while (state != 0) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        *(volatile unsigned int*)last = state;
    }
}
