// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: with a causal mask a block ends at the last key that its queries see. Only tiles with keys to take away are masked.
// Why:     half of the tiles have nothing but weights of zero. Of the others nearly all need no test for each score.
// Expect:  twice the speed with a mask, and a little without one. Long blocks begin first, so that the last ones are short.

#define KEYS 64 // of a tile
#define ROWS 32 // queries of a warp: PARTS times 16
#define PARTS 2
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
    const unsigned tiles = address_of(shared), tile_q = tiles + 4 * TILE; // of K and V, and again; then Q
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int top = (gridDim.x - 1 - blockIdx.x) * (WARPS * ROWS), first = top + warp * ROWS; // queries of the block and of the warp
    const size_t head = (size_t)blockIdx.y * n * D;
    q += head, k += head, v += head, o += head;
    const int y = threadIdx.x / (D / CHUNK), x = threadIdx.x % (D / CHUNK), step = THREADS / (D / CHUNK); // chunks that a thread copies
    const auto fetch = [&](unsigned tile, const unsigned short *from, int start, int count) {
#pragma unroll
        for (int row = y; row < y + count; row += step) {
            const unsigned short *const chunk = from + min(start + row, n - 1) * D + x * CHUNK; // the last one again where there is none
            copy16(tile + swizzled<D>(row, x), chunk);
        }
    };
    const int end = causal ? min(n, top + WARPS * ROWS) : n; // of the keys
    Rows<D> rows[PARTS];
    fetch(tile_q, q, top, WARPS * ROWS);
    fetch(tiles, k, 0, KEYS);
    fetch(tiles + TILE, v, 0, KEYS);
    for (int start = 0, now = 0; start < end; start += KEYS, now ^= 1) {
        const unsigned tile_k = tiles + now * 2 * TILE, tile_v = tile_k + TILE;
        wait_for_copies();
        __syncthreads(); // the tiles are complete, and all warps are done with the others
        if (start + KEYS < end) {
            fetch(tiles + (now ^ 1) * 2 * TILE, k, start + KEYS, KEYS);
            fetch(tiles + (now ^ 1) * 2 * TILE + TILE, v, start + KEYS, KEYS);
        }
        float score[PARTS][KEYS / 8][4] = {};
#pragma unroll
        for (int i = 0; i < D / 16; i++) {
            unsigned of_q[PARTS][4];
#pragma unroll
            for (int p = 0; p < PARTS; p++) {
                const unsigned from = tile_q + swizzled<D>(warp * ROWS + p * 16 + lane % 16, i * 2 + lane / 16);
                load_matrices(of_q[p][0], of_q[p][1], of_q[p][2], of_q[p][3], from);
            }
            unsigned of_k[KEYS / 8][2];
#pragma unroll
            for (int j = 0; j < KEYS / 8; j += 2) {
                const unsigned from = tile_k + swizzled<D>(j * 8 + lane / 16 * 8 + lane % 8, i * 2 + lane / 8 % 2);
                load_matrices(of_k[j][0], of_k[j][1], of_k[j + 1][0], of_k[j + 1][1], from);
            }
#pragma unroll
            for (int j = 0; j < KEYS / 8; j++) {
#pragma unroll
                for (int p = 0; p < PARTS; p++) {
                    multiply(score[p][j], of_q[p], of_k[j]);
                }
            }
        }
        if (start + KEYS > (causal ? min(n, first + 1) : n)) {
#pragma unroll
            for (int p = 0; p < PARTS; p++) {
                mask<KEYS>(score[p], n, causal, first + p * 16, start);
            }
        }
#pragma unroll
        for (int p = 0; p < PARTS; p++) {
#pragma unroll
            for (int h = 0; h < 2; h++) {
                rows[p].rescale(h, fmaxf(rows[p].most[h], largest<KEYS>(score[p], h) * scale));
            }
            rows[p].template weigh<KEYS>(score[p], scale);
        }
#pragma unroll
        for (int i = 0; i < KEYS / 16; i++) {
            unsigned weight[PARTS][4];
#pragma unroll
            for (int p = 0; p < PARTS; p++) {
                factors<KEYS>(weight[p], score[p], i);
            }
#pragma unroll
            for (int j = 0; j < D / 8; j += 2) {
                unsigned of_v[2][2];
                const unsigned from = tile_v + swizzled<D>(i * 16 + lane % 16, j + lane / 16);
                load_transposed(of_v[0][0], of_v[0][1], of_v[1][0], of_v[1][1], from);
#pragma unroll
                for (int p = 0; p < PARTS; p++) {
                    multiply(rows[p].out[j], weight[p], of_v[0]);
                    multiply(rows[p].out[j + 1], weight[p], of_v[1]);
                }
            }
        }
    }
#pragma unroll
    for (int p = 0; p < PARTS; p++) {
        rows[p].store(n, first + p * 16, o);
    }
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
