// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a weight is a whole number of 8 bits, times a scale that 128 neighbours share.
// Why:     memory is the limit, and there are half as many bytes.
// Expect:  nearly twice as fast: with its share of the scale a weight has 8.125 bits instead of 16.

#include "bf16.cuh"
#include "warp.cuh"
#include "eight.cuh"
#include "groups.cuh"

// The sum of the products of x with eight weights, one in each byte.
__device__ __forceinline__ float product(const Eight &x, uint2 bytes)
{
    float w[EIGHT];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        w[i] = (float)(signed char)(bytes.x >> 8 * i);
        w[4 + i] = (float)(signed char)(bytes.y >> 8 * i);
    }
    return product(x, w);
}

extern "C" __global__ void decode(int rows, int columns, const signed char *w, const unsigned short *scales, const float *x, float *y)
{
    const int lane = threadIdx.x % 32, row = threadIdx.x / 32 + blockIdx.x * WARPS;
    if (row >= rows) {
        return;
    }
    const uint2 *const of_row = (const uint2 *)(w + (size_t)row * columns);
    const unsigned short *const scales_of_row = scales + (size_t)row * (columns / GROUP);
    float sum = 0.0f;
#pragma unroll 2
    for (int i = lane * EIGHT; i < columns; i += OF_A_WARP) {
        sum += scale_of(scales_of_row, i) * product(eight_of(x + i), __ldcs(of_row + i / EIGHT));
    }
    sum = of_warp(sum);
    if (lane == 0) {
        y[row] = sum;
    }
}
