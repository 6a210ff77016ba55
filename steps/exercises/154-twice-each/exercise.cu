#include "bf16.cuh"
#include "warp.cuh"
#include "groups.cuh"
#include "matrices.cuh"
#include "whole-numbers.cuh"

#define THIRTY_TWO 32
#define TILES 2 // of 16 rows, of a block

// The lowest nibbles of both halves of a word, numbers from 0 to 15, minus 8.
__device__ __forceinline__ unsigned pair_of(unsigned nibbles)
{
    const unsigned minus_136 = 0xc308c308;
    return sum_of((nibbles & 0x000f000f) | AND_128, minus_136);
}

// sum += the products of eight columns of rows g and g + 8 with the vectors.
__device__ __forceinline__ void multiply(float (&sum)[4], unsigned g, unsigned g_8, uint4 x)
{
    multiply(sum, pair_of(g), pair_of(g_8), pair_of(g >> 4), pair_of(g_8 >> 4),
        __byte_perm(x.x, x.z, LOWER), __byte_perm(x.x, x.z, UPPER));
    multiply(sum, pair_of(g >> 8), pair_of(g_8 >> 8), pair_of(g >> 12), pair_of(g_8 >> 12),
        __byte_perm(x.y, x.w, LOWER), __byte_perm(x.y, x.w, UPPER));
}

extern "C" __global__ void __launch_bounds__(32 * WARPS)
decode(int rows, int columns, int batch, const uint4 *w, const unsigned short *scales, const uint4 *x, float *y)
{
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4, warp = threadIdx.x / 32;
    const int first = blockIdx.x * (TILES * ROWS), length = columns / THIRTY_TWO;
    const uint4 *row[2 * TILES];
    const unsigned short *scales_of_row[2 * TILES];
#pragma unroll
    for (int r = 0; r < 2 * TILES; r++) {
        const size_t it = min(first + 8 * r + g, rows - 1); // the last one again where there is none
        row[r] = w + it * length;
        scales_of_row[r] = scales + it * (columns / GROUP);
    }
    const uint4 *const vector = x + min(g, batch - 1) * (4 * length);
    float sum[TILES][4] = {};
    // TODO: each tile loads all elements of the vectors
#pragma unroll
    for (int r = 0; r < 2 * TILES; r += 2) {
        for (int i = warp * 4 + t; i < length; i += WARPS * 4) {
            const uint4 a = __ldcs(row[r] + i), b = __ldcs(row[r + 1] + i);
            float of_group[4] = {};
            multiply(of_group, a.x, b.x, vector[4 * i]);
            multiply(of_group, a.y, b.y, vector[4 * i + 1]);
            multiply(of_group, a.z, b.z, vector[4 * i + 2]);
            multiply(of_group, a.w, b.w, vector[4 * i + 3]);
            add_scaled(sum[r / 2], of_group, scale_of(scales_of_row[r], i * THIRTY_TWO), scale_of(scales_of_row[r + 1], i * THIRTY_TWO));
        }
    }
#pragma unroll
    for (int r = 0; r < TILES; r++) {
        store(sum[r], first + r * ROWS, rows, batch, y);
        __syncthreads(); // all have read the sums
    }
}
