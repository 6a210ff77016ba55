// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the tensor cores multiply 16 rows with eight vectors. The warps of a block share the columns.
// Why:     eight multiplications and two rows' share of the vectors for each weight take longer than the memory.
// Expect:  eight vectors in the time of one.

#include "warp.cuh"
#include "matrices.cuh"

#define EIGHT 8

extern "C" __global__ void __launch_bounds__(32 * WARPS)
decode(int rows, int columns, int batch, const uint4 *w, const uint4 *x, float *y)
{
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4, warp = threadIdx.x / 32;
    const int first = blockIdx.x * ROWS + g, length = columns / EIGHT;
    // The last one again where there is none.
    const uint4 *const row_g = w + (size_t)min(first, rows - 1) * length;
    const uint4 *const row_g_8 = w + (size_t)min(first + 8, rows - 1) * length;
    const uint4 *const vector = x + min(g, batch - 1) * length;
    float sum[4] = {};
#pragma unroll 4
    for (int i = warp * 4 + t; i < length; i += WARPS * 4) {
        const uint4 a = __ldcs(row_g + i), b = __ldcs(row_g_8 + i), c = vector[i];
        multiply(sum, a.x, b.x, a.y, b.y, c.x, c.y);
        multiply(sum, a.z, b.z, a.w, b.w, c.z, c.w);
    }
    store(sum, blockIdx.x * ROWS, rows, batch, y);
}
