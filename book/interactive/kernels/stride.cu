// SPDX-License-Identifier: MIT OR Apache-2.0
// Lane i of a warp reads word offset + stride * i: how many sectors does the load take?

extern "C" __global__ void read(float* out, const float* in, int stride, int offset)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[offset + stride * i];
}
