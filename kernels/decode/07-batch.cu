// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: up to eight vectors of BF16. A warp multiplies two rows with all of them, and has a sum for each pair.
// Why:     a weight that was read once serves all vectors.
// Expect:  several vectors in the time of one, until multiplications take longer than the memory.

#include "bf16.cuh"
#include "warp.cuh"
#include "pairs.cuh"

#define EIGHT 8
#define ROWS 2 // of a warp
#define VECTORS 8 // at most

extern "C" __global__ void __launch_bounds__(32 * WARPS)
decode(int rows, int columns, int batch, const uint4 *w, const uint4 *x, float *y)
{
    const int lane = threadIdx.x % 32, first = (threadIdx.x / 32 + blockIdx.x * WARPS) * ROWS;
    if (first >= rows) {
        return;
    }
    const int length = columns / EIGHT;
    const uint4 *const row[ROWS] = {w + (size_t)first * length, w + (size_t)min(first + 1, rows - 1) * length};
    float sum[VECTORS][ROWS] = {};
    for (int i = lane; i < length; i += 32) {
        float of_row[ROWS][EIGHT];
#pragma unroll
        for (int j = 0; j < ROWS; j++) {
            floats_of(__ldcs(row[j] + i), of_row[j]);
        }
#pragma unroll
        for (int v = 0; v < VECTORS; v++) {
            if (v < batch) {
                float of_vector[EIGHT];
                floats_of(x[v * length + i], of_vector);
#pragma unroll
                for (int k = 0; k < ROWS * EIGHT; k++) {
                    sum[v][k % ROWS] += of_vector[k / ROWS] * of_row[k % ROWS][k / ROWS];
                }
            }
        }
    }
#pragma unroll
    for (int k = 0; k < VECTORS * ROWS; k++) {
        const int v = k / ROWS, j = k % ROWS;
        if (v < batch) {
            const float all = of_warp(sum[v][j]);
            if (lane == 0 && first + j < rows) {
                y[(size_t)v * rows + first + j] = all;
            }
        }
    }
}
