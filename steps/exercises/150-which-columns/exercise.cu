#include "bf16.cuh"
#include "warp.cuh"
#include "groups.cuh"
#include "matrices.cuh"
#include "whole-numbers.cuh"

#define THIRTY_TWO 32

// The lowest nibbles of both halves of a word, numbers from 0 to 15, minus 8.
__device__ __forceinline__ unsigned pair_of(unsigned nibbles)
{
    const unsigned minus_136 = 0xc308c308;
    return sum_of((nibbles & 0x000f000f) | AND_128, minus_136);
}

// sum += the products of eight columns of rows g and g + 8 with the vectors.
__device__ __forceinline__ void multiply(float (&sum)[4], unsigned g, unsigned g_8, uint4 x)
{
    // TODO: the words of the vector have other columns than the pairs of weights
    multiply(sum, pair_of(g), pair_of(g_8), pair_of(g >> 4), pair_of(g_8 >> 4), x.x, x.y);
    multiply(sum, pair_of(g >> 8), pair_of(g_8 >> 8), pair_of(g >> 12), pair_of(g_8 >> 12), x.z, x.w);
}

extern "C" __global__ void __launch_bounds__(32 * WARPS)
decode(int rows, int columns, int batch, const uint4 *w, const unsigned short *scales, const uint4 *x, float *y)
{
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4, warp = threadIdx.x / 32;
    const int first = blockIdx.x * ROWS + g, length = columns / THIRTY_TWO;
    // The last one again where there is none.
    const size_t g_th = min(first, rows - 1), g_8_th = min(first + 8, rows - 1);
    const uint4 *const row_g = w + g_th * length;
    const uint4 *const row_g_8 = w + g_8_th * length;
    const unsigned short *const scales_g = scales + g_th * (columns / GROUP);
    const unsigned short *const scales_g_8 = scales + g_8_th * (columns / GROUP);
    const uint4 *const vector = x + min(g, batch - 1) * (4 * length);
    float sum[4] = {};
#pragma unroll 2
    for (int i = warp * 4 + t; i < length; i += WARPS * 4) {
        const uint4 a = __ldcs(row_g + i), b = __ldcs(row_g_8 + i);
        float of_group[4] = {};
        multiply(of_group, a.x, b.x, vector[4 * i]);
        multiply(of_group, a.y, b.y, vector[4 * i + 1]);
        multiply(of_group, a.z, b.z, vector[4 * i + 2]);
        multiply(of_group, a.w, b.w, vector[4 * i + 3]);
        add_scaled(sum, of_group, scale_of(scales_g, i * THIRTY_TWO), scale_of(scales_g_8, i * THIRTY_TWO));
    }
    store(sum, blockIdx.x * ROWS, rows, batch, y);
}
