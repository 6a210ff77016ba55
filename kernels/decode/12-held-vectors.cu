// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a block stays, and holds the vectors in shared memory in the order of the products. A warp has 16 rows to itself.
// Why:     so far each block reads all vectors again, as many bytes as of weights. Now each multiprocessor does so once.
// Expect:  three quarters of the time for a large matrix. A small one has too few rows for so many warps.

#include "bf16.cuh"

#define WARPS 16 // of a block

#include "groups.cuh"
#include "matrices.cuh"
#include "whole-numbers.cuh"
#include "two-blocks.cuh"

#define HELD 64 // groups of columns whose elements fit, of all vectors
#define AHEAD 4 // groups whose weights are under way

// The lowest nibbles of both halves of a word, numbers from 0 to 15, minus 8.
__device__ __forceinline__ unsigned pair_of(unsigned nibbles)
{
    const unsigned minus_136 = 0xc308c308;
    return sum_of((nibbles & 0x000f000f) | AND_128, minus_136);
}

// sum += the products of eight columns of rows g and g + 8 with the vectors.
__device__ __forceinline__ void multiply(float (&sum)[4], unsigned g, unsigned g_8, uint4 x)
{
    multiply(sum, pair_of(g), pair_of(g_8), pair_of(g >> 4), pair_of(g_8 >> 4), x.x, x.y);
    multiply(sum, pair_of(g >> 8), pair_of(g_8 >> 8), pair_of(g >> 12), pair_of(g_8 >> 12), x.z, x.w);
}

// Brings the elements of `count` groups into shared memory: lane 4 g + t finds those of a product next to the other lanes'.
__device__ __forceinline__ void hold(uint4 *held, const uint4 *x, int length, int batch, int from, int count)
{
    const int of_vector = count * (GROUP / 8);
#pragma unroll 4
    for (int i = threadIdx.x; i < VECTORS * of_vector; i += 32 * WARPS) {
        const int g = i / of_vector, at = i % of_vector, t = at / 4 % 4;
        const uint4 it = x[min(g, batch - 1) * length + from * (GROUP / 8) + at];
        held[(at / 16 * 4 + at % 4) * 32 + 4 * g + t] =
            make_uint4(__byte_perm(it.x, it.z, LOWER), __byte_perm(it.x, it.z, UPPER), __byte_perm(it.y, it.w, LOWER), __byte_perm(it.y, it.w, UPPER));
    }
}

extern "C" __global__ void __launch_bounds__(32 * WARPS, 1)
decode(int rows, int columns, int batch, const uint4 *w, const unsigned short *scales, const uint4 *x, float *y)
{
    extern __shared__ uint4 held[];
    __shared__ float4 of_other[WARPS][32]; // sums of the other block
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4, warp = threadIdx.x / 32;
    const int groups = columns / GROUP, half = (groups + 1) / 2, begin = block_of_two() * half, end = min(begin + half, groups);
    const int pairs = gridDim.x / 2, pair = blockIdx.x / 2;
    arrive(); // this block has begun
    for (int base = 0; base * ROWS < rows; base += WARPS * pairs) {
        const int first = (base + warp * pairs + pair) * ROWS;
        // The last one again where there is none.
        const size_t g_th = min(first + g, rows - 1), g_8_th = min(first + g + 8, rows - 1);
        float sum[4] = {};
        for (int from = begin; from < end; from += HELD) {
            const int count = min(HELD, end - from);
            if (base == 0 || half > HELD) {
                __syncthreads(); // nobody needs what is held
                hold(held, x, columns / 8, batch, from, count);
                __syncthreads(); // the elements are there
            }
            const uint4 *const row_g = w + g_th * (columns / 32) + from * 4 + t;
            const uint4 *const row_g_8 = w + g_8_th * (columns / 32) + from * 4 + t;
            uint4 next_g[AHEAD], next_g_8[AHEAD];
#pragma unroll
            for (int d = 0; d < AHEAD; d++) {
                if (d < count) {
                    next_g[d] = __ldcs(row_g + 4 * d);
                    next_g_8[d] = __ldcs(row_g_8 + 4 * d);
                }
            }
            for (int k = 0; k < count; k += AHEAD) {
                // Of four groups each lane has the scales of one.
                const int own = from + min(k + t, count - 1);
                const float scale_g = of_bf16(scales[g_th * groups + own]), scale_g_8 = of_bf16(scales[g_8_th * groups + own]);
#pragma unroll
                for (int d = 0; d < AHEAD; d++) {
                    if (k + d >= count) {
                        break;
                    }
                    const uint4 a = next_g[d], b = next_g_8[d];
                    if (k + d + AHEAD < count) {
                        next_g[d] = __ldcs(row_g + 4 * (k + d + AHEAD));
                        next_g_8[d] = __ldcs(row_g_8 + 4 * (k + d + AHEAD));
                    }
                    const uint4 *const own_x = held + (k + d) * 128 + lane;
                    float of_group[4] = {};
                    multiply(of_group, a.x, b.x, own_x[0]);
                    multiply(of_group, a.y, b.y, own_x[32]);
                    multiply(of_group, a.z, b.z, own_x[64]);
                    multiply(of_group, a.w, b.w, own_x[96]);
                    add_scaled(sum, of_group, __shfl_sync(0xffffffff, scale_g, d, 4), __shfl_sync(0xffffffff, scale_g_8, d, 4));
                }
            }
        }
        wait(); // the first block has begun, and needs no sums of the second any more
        if (block_of_two() == 1) {
            tell_first(&of_other[warp][lane], sum);
        }
        arrive();
        wait(); // the sums are there
        if (block_of_two() == 0) {
            const float4 more = of_other[warp][lane];
            const float all[4] = {sum[0] + more.x, sum[1] + more.y, sum[2] + more.z, sum[3] + more.w};
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const int row = first + g + i / 2 * 8, vector = 2 * t + i % 2;
                if (row < rows && vector < batch) {
                    y[(size_t)vector * rows + row] = all[i];
                }
            }
        }
        arrive();
    }
    wait(); // nobody ends before the other
}
