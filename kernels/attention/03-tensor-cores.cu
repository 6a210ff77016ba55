// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the tensor cores multiply. A warp has 16 queries, a block 64, which share tiles of 64 keys in shared memory.
// Why:     scores of 16 x 8 come as sums of lanes, just where the second product needs its factors: they stay in registers.
// Expect:  many times the speed. Exponentials are one for each score, and the largest score changes once a tile.

#define KEYS 64 // of a tile
#define ROWS 16 // queries of a warp
#define WARPS 4
#define THREADS (32 * WARPS)
#define BLOCKS 2
#define CHUNK 8 // elements of 16 bytes
#define PAD 8 // elements after a row in shared memory, so that rows begin in different banks

#include "bf16.cuh"
#include "matrices.cuh"
#include "rows.cuh"

template <int D>
__device__ __forceinline__ void attention(int n, int causal, float scale, const unsigned short *q, const unsigned short *k,
                                          const unsigned short *v, unsigned short *o)
{
    __shared__ __align__(16) unsigned short tile_k[KEYS][D + PAD], tile_v[KEYS][D + PAD];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4; // see matrices.cuh
    const int first = blockIdx.x * (WARPS * ROWS) + warp * ROWS;
    const size_t head = (size_t)blockIdx.y * n * D;
    q += head, k += head, v += head, o += head;
    const int y = threadIdx.x / (D / CHUNK), x = threadIdx.x % (D / CHUNK), step = THREADS / (D / CHUNK); // chunks that a thread copies
    const auto fetch = [&](unsigned short (&tile)[KEYS][D + PAD], const unsigned short *from, int start) {
#pragma unroll
        for (int row = y; row < y + KEYS; row += step) {
            const unsigned short *const chunk = from + min(start + row, n - 1) * D + x * CHUNK; // the last one again where there is none
            *(uint4 *)&tile[row][x * CHUNK] = *(const uint4 *)chunk;
        }
    };
    unsigned of_q[D / 16][4];
#pragma unroll
    for (int i = 0; i < D / 16; i++) {
#pragma unroll
        for (int e = 0; e < 4; e++) {
            of_q[i][e] = *(const unsigned *)(q + min(first + e % 2 * 8 + g, n - 1) * D + i * 16 + e / 2 * 8 + t * 2);
        }
    }
    Rows<D> rows;
    for (int start = 0; start < n; start += KEYS) {
        __syncthreads(); // all warps are done with the tiles
        fetch(tile_k, k, start);
        fetch(tile_v, v, start);
        __syncthreads(); // the tiles are complete
        float score[KEYS / 8][4] = {};
#pragma unroll
        for (int i = 0; i < D / 16; i++) {
#pragma unroll
            for (int j = 0; j < KEYS / 8; j++) {
                const unsigned short *const pair = &tile_k[j * 8 + g][i * 16 + t * 2];
                const unsigned of_k[2] = {*(const unsigned *)pair, *(const unsigned *)(pair + 8)};
                multiply(score[j], of_q[i], of_k);
            }
        }
        mask<KEYS>(score, n, causal, first, start);
#pragma unroll
        for (int h = 0; h < 2; h++) {
            rows.rescale(h, fmaxf(rows.most[h], largest<KEYS>(score, h) * scale));
        }
        rows.template weigh<KEYS>(score, scale);
#pragma unroll
        for (int i = 0; i < KEYS / 16; i++) {
            unsigned weight[4];
            factors<KEYS>(weight, score, i);
#pragma unroll
            for (int j = 0; j < D / 8; j++) {
                const unsigned short *const pair = &tile_v[i * 16 + t * 2][j * 8 + g];
                const unsigned of_v[2] = {pair[0] | (unsigned)pair[D + PAD] << 16,
                                          pair[8 * (D + PAD)] | (unsigned)pair[9 * (D + PAD)] << 16};
                multiply(rows.out[j], weight, of_v);
            }
        }
    }
    rows.store(n, first, o);
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
attention_64(int n, int causal, float scale, const unsigned short *q, const unsigned short *k, const unsigned short *v, unsigned short *o)
{
    attention<64>(n, causal, scale, q, k, v, o);
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
attention_128(int n, int causal, float scale, const unsigned short *q, const unsigned short *k, const unsigned short *v, unsigned short *o)
{
    attention<128>(n, causal, scale, q, k, v, o);
}
