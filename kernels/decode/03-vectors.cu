// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a lane takes eight neighbours at a time, by one load of 16 bytes. Columns are a multiple of 128 from here on.
// Why:     fewer instructions for each weight, and eight times as many bytes on their way.
// Expect:  the bandwidth of the memory.

#include "bf16.cuh"
#include "warp.cuh"
#include "eight.cuh"

// The sum of the products of x with eight weights, two in each word.
__device__ __forceinline__ float product(const Eight &x, uint4 pairs)
{
    const unsigned word[] = {pairs.x, pairs.y, pairs.z, pairs.w};
    float w[EIGHT];
#pragma unroll
    for (int i = 0; i < EIGHT / 2; i++) {
        w[2 * i] = of_bf16(word[i]);
        w[2 * i + 1] = __uint_as_float(word[i] & 0xffff0000);
    }
    return product(x, w);
}

extern "C" __global__ void decode(int rows, int columns, const unsigned short *w, const float *x, float *y)
{
    const int lane = threadIdx.x % 32, row = threadIdx.x / 32 + blockIdx.x * WARPS;
    if (row >= rows) {
        return;
    }
    const uint4 *const of_row = (const uint4 *)(w + (size_t)row * columns);
    float sum = 0.0f;
    for (int i = lane * EIGHT; i < columns; i += OF_A_WARP) {
        sum += product(eight_of(x + i), of_row[i / EIGHT]);
    }
    sum = of_warp(sum);
    if (lane == 0) {
        y[row] = sum;
    }
}
