// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a warp computes four elements: it loads eight elements of x, and multiplies them with four rows.
// Why:     for half a byte of a weight the parent reads four bytes of x from the L1 cache, and adds x up once for each row.
// Expect:  a quarter faster.

#include "bf16.cuh"
#include "warp.cuh"
#include "eight.cuh"
#include "groups.cuh"
#include "nibbles.cuh"

#define ROWS 4 // of a warp

extern "C" __global__ void __launch_bounds__(32 * WARPS)
decode(int rows, int columns, const unsigned char *w, const unsigned short *scales, const float *x, float *y)
{
    const int lane = threadIdx.x % 32, first = (threadIdx.x / 32 + blockIdx.x * WARPS) * ROWS;
    if (first >= rows) {
        return;
    }
    const unsigned *of_row[ROWS];
    const unsigned short *scales_of_row[ROWS];
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
        const size_t row = min(first + j, rows - 1); // the last one again where there is none
        of_row[j] = (const unsigned *)(w + row * columns / 2);
        scales_of_row[j] = scales + row * (columns / GROUP);
    }
    float sum[ROWS] = {};
#pragma unroll 4
    for (int i = lane * EIGHT; i < columns; i += OF_A_WARP) {
        const Eight eight = eight_of(x + i);
        const float all = sum_of(eight);
#pragma unroll
        for (int j = 0; j < ROWS; j++) {
            sum[j] += scale_of(scales_of_row[j], i) * product(eight, all, __ldcs(of_row[j] + i / EIGHT));
        }
    }
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
        const float all = of_warp(sum[j]);
        if (lane == 0 && first + j < rows) {
            y[first + j] = all;
        }
    }
}
