// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: `cp.async` copies the next tiles to shared memory while the warps calculate with these. There are two pairs of tiles.
// Why:     no load is waited for, no tile passes a register, and there is one barrier a tile instead of two.
// Expect:  faster: the parent's warps wait for each tile, and only another block works meanwhile.

#define KEYS 64 // of a tile
#define ROWS 16 // queries of a warp
#define WARPS 4
#define THREADS (32 * WARPS)
#define BLOCKS 2

#include "bf16.cuh"
#include "matrices.cuh"
#include "rows.cuh"
#include "loads.cuh"
#include "copies.cuh"

template <int D>
__device__ __forceinline__ void attention(int n, int causal, float scale, const unsigned short *q, const unsigned short *k,
                                          const unsigned short *v, unsigned short *o)
{
    constexpr int TILE = KEYS * D * 2; // bytes
    extern __shared__ uint4 shared[];
    const unsigned tiles = address_of(shared); // of K and V, and again
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4; // see matrices.cuh
    const int first = blockIdx.x * (WARPS * ROWS) + warp * ROWS;
    const size_t head = (size_t)blockIdx.y * n * D;
    q += head, k += head, v += head, o += head;
    const int y = threadIdx.x / (D / CHUNK), x = threadIdx.x % (D / CHUNK), step = THREADS / (D / CHUNK); // chunks that a thread copies
    const auto fetch = [&](unsigned tile, const unsigned short *from, int start) {
#pragma unroll
        for (int row = y; row < y + KEYS; row += step) {
            const unsigned short *const chunk = from + min(start + row, n - 1) * D + x * CHUNK; // the last one again where there is none
            copy16(tile + swizzled<D>(row, x), chunk);
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
    fetch(tiles, k, 0);
    fetch(tiles + TILE, v, 0);
    for (int start = 0, now = 0; start < n; start += KEYS, now ^= 1) {
        const unsigned tile_k = tiles + now * 2 * TILE, tile_v = tile_k + TILE;
        wait_for_copies();
        __syncthreads(); // the tiles are complete, and all warps are done with the others
        if (start + KEYS < n) {
            fetch(tiles + (now ^ 1) * 2 * TILE, k, start + KEYS);
            fetch(tiles + (now ^ 1) * 2 * TILE + TILE, v, start + KEYS);
        }
        float score[KEYS / 8][4] = {};
#pragma unroll
        for (int i = 0; i < D / 16; i++) {
#pragma unroll
            for (int j = 0; j < KEYS / 8; j += 2) {
                unsigned of_k[2][2];
                const unsigned from = tile_k + swizzled<D>(j * 8 + lane / 16 * 8 + lane % 8, i * 2 + lane / 8 % 2);
                load_matrices(of_k[0][0], of_k[0][1], of_k[1][0], of_k[1][1], from);
                multiply(score[j], of_q[i], of_k[0]);
                multiply(score[j + 1], of_q[i], of_k[1]);
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
            for (int j = 0; j < D / 8; j += 2) {
                unsigned of_v[2][2];
                const unsigned from = tile_v + swizzled<D>(i * 16 + lane % 16, j + lane / 16);
                load_transposed(of_v[0][0], of_v[0][1], of_v[1][0], of_v[1][1], from);
                multiply(rows.out[j], weight, of_v[0]);
                multiply(rows.out[j + 1], weight, of_v[1]);
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
