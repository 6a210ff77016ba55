// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: weights of 8 bits, which become BF16 two at a time, and a scale for the sums of each group.
// Why:     half as many bytes. The tensor cores leave time for the conversion.
// Expect:  nearly twice as fast.

#include "bf16.cuh"
#include "warp.cuh"
#include "groups.cuh"
#include "matrices.cuh"
#include "whole-numbers.cuh"

#define SIXTEEN 16

// Bytes 0 and 2 of a word, from -128 to 127: 128 and the lower seven bits, minus 128, or minus 256 if the number is negative.
__device__ __forceinline__ unsigned pair_of(unsigned bytes)
{
    const unsigned minus = 0x80008000;
    return sum_of((bytes & 0x007f007f) | AND_128, (bytes & 0x00800080) | AND_128 | minus);
}

// sum += the products of four columns of rows g and g + 8 with the vectors.
__device__ __forceinline__ void multiply(float (&sum)[4], unsigned g, unsigned g_8, unsigned x_first, unsigned x_second)
{
    multiply(sum, pair_of(g), pair_of(g_8), pair_of(g >> 8), pair_of(g_8 >> 8),
        __byte_perm(x_first, x_second, LOWER), __byte_perm(x_first, x_second, UPPER));
}

extern "C" __global__ void __launch_bounds__(32 * WARPS)
decode(int rows, int columns, int batch, const uint4 *w, const unsigned short *scales, const uint4 *x, float *y)
{
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4, warp = threadIdx.x / 32;
    const int first = blockIdx.x * ROWS + g, length = columns / SIXTEEN;
    // The last one again where there is none.
    const size_t g_th = min(first, rows - 1), g_8_th = min(first + 8, rows - 1);
    const uint4 *const row_g = w + g_th * length;
    const uint4 *const row_g_8 = w + g_8_th * length;
    const unsigned short *const scales_g = scales + g_th * (columns / GROUP);
    const unsigned short *const scales_g_8 = scales + g_8_th * (columns / GROUP);
    const uint4 *const vector = x + min(g, batch - 1) * (2 * length);
    float sum[4] = {};
#pragma unroll 2
    for (int i = warp * 4 + t; i < length; i += WARPS * 4) {
        const uint4 a = __ldcs(row_g + i), b = __ldcs(row_g_8 + i), c = vector[2 * i], d = vector[2 * i + 1];
        float of_group[4] = {};
        multiply(of_group, a.x, b.x, c.x, c.y);
        multiply(of_group, a.y, b.y, c.z, c.w);
        multiply(of_group, a.z, b.z, d.x, d.y);
        multiply(of_group, a.w, b.w, d.z, d.w);
        add_scaled(sum, of_group, scale_of(scales_g, i * SIXTEEN), scale_of(scales_g_8, i * SIXTEEN));
    }
    store(sum, blockIdx.x * ROWS, rows, batch, y);
}
