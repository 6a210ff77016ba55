// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: copies the elements instead.
// Why:     what no kernel can exceed that reads and writes each element once.
// Expect:  the bandwidth of the memory.

extern "C" __global__ void norms(
    int rows, int columns, float epsilon, const float *x, const float *weight, const float *bias, float *y)
{
    const size_t count = (size_t)rows * columns, i = 4 * (threadIdx.x + (size_t)blockIdx.x * blockDim.x);
    if (i + 4 <= count) {
        *(float4 *)(y + i) = *(const float4 *)(x + i);
        return;
    }
    for (size_t last = i; last < count; last++) {
        y[last] = x[last];
    }
}
