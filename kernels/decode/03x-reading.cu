// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: adds up the words of each row instead of products.
// Why:     what no kernel can exceed that reads all weights of 16 bits.
// Expect:  the bandwidth of the memory.

#include "warp.cuh"

extern "C" __global__ void decode(int rows, int columns, const unsigned *w, unsigned *y)
{
    const int lane = threadIdx.x % 32, row = threadIdx.x / 32 + blockIdx.x * WARPS;
    if (row >= rows) {
        return;
    }
    const uint4 *const of_row = (const uint4 *)(w + (size_t)row * (columns / 2));
    unsigned sum = 0;
#pragma unroll 4
    for (int i = lane; i < columns / 8; i += 32) {
        const uint4 words = of_row[i];
        sum += words.x + words.y + words.z + words.w;
    }
    sum = of_warp(sum);
    if (lane == 0) {
        y[row] = sum;
    }
}
