// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a block for each row. Its threads take neighbouring elements; the maximum and the sum are those of their parts.
// Why:     a warp reads 128 bytes in a row, and one row after the other is in use, which a cache can hold.
// Expect:  many times the speed; each element is still read three times, mostly from a cache.

#include "block.cuh"

extern "C" __global__ void softmax(int rows, int columns, const float *x, float *y)
{
    const float *const from = x + (size_t)blockIdx.x * columns;
    float *const to = y + (size_t)blockIdx.x * columns;
    float most = LEAST, sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        most = fmaxf(most, from[i]);
    }
    most = of_block<Max>(most, LEAST);
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        sum += expf(from[i] - most); // at most 1: nothing overflows
    }
    sum = of_block<Sum>(sum, 0.0f);
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        to[i] = expf(from[i] - most) / sum;
    }
}
