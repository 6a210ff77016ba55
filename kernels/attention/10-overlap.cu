// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the scores of the next tile are begun before the weighted sums of this one, and both are computed during the softmax.
// Why:     in the parent, a group's tensor cores rest while it computes weights, unless the other group happens to multiply then.
// Expect:  a tenth faster.

#define KEYS 128 // of a tile
#define QUERIES 128 // of a block
#define STAGES 2 // tiles of K and of V in shared memory
#define THREADS 384 // the first 128 copy, each 128 of the others have 64 queries

#include "bf16.cuh"
#include "rows.cuh"
#include "lazy.cuh"
#include "tensor-maps.cuh"
#include "warpgroups.cuh"
#include "tiles.cuh"

template <int D>
__device__ __forceinline__ void attention(int n, int heads, int causal, float scale, const TensorMap &q, const TensorMap &k,
                                          const TensorMap &v, unsigned short *o)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    Tiles<D> &tiles = *(Tiles<D> *)shared;
    __shared__ Barriers barriers;
    const int top = ((n - 1) / QUERIES - blockIdx.x / heads) * QUERIES; // the block's first query
    const int head = blockIdx.x % heads * n; // its first row. What follows its last one is another's: finite, and its weight is 0
    const int end = causal ? min(n, top + QUERIES) : n; // of the keys

    if (threadIdx.x == 0) {
        barriers.begin_all(THREADS / 32 - 4);
    }
    __syncthreads();
    if (threadIdx.x < 128) {
        give_registers<24>();
        if (threadIdx.x == 0) {
            copy_rows(tiles.q, q, head + top, &barriers.full_q);
            for (int start = 0, i = 0; start < end; start += KEYS, i++) {
                const int stage = i % STAGES, parity = i / STAGES % 2;
                wait(&barriers.empty_k[stage], parity ^ 1); // the phase before the first has ended
                copy_rows(tiles.k[stage], k, head + start, &barriers.full_k[stage]);
                wait(&barriers.empty_v[stage], parity ^ 1);
                copy_rows(tiles.v[stage], v, head + start, &barriers.full_v[stage]);
            }
        }
        return;
    }
    take_registers<240>();
    const int row = threadIdx.x / 32 * 16 - 64, group = row / 64 * 64; // the first query of the warp and of its group, in the block
    Rows<D> rows;
    float score[KEYS / 8][4], factor[2];
    unsigned weight[KEYS / 16][4];
    wait(&barriers.full_q, 0);
    wait(&barriers.full_k[0], 0);
    begin_scores(score, tiles.q, group, tiles.k[0]);
    wait_for_products<0>();
    release(&barriers.empty_k[0]);
    weigh(rows, score, factor, n, causal, scale, top + row, 0);
    factors(weight, score);
    int stage = 0, parity = 0; // of V
    for (int start = KEYS; start < end; start += KEYS) {
        const int next = (stage + 1) % STAGES, next_parity = next ? parity : parity ^ 1;
        wait(&barriers.full_k[next], next_parity);
        begin_scores(score, tiles.q, group, tiles.k[next]);
        wait(&barriers.full_v[stage], parity);
        begin_sums<D>(rows.out, weight, tiles.v[stage]);
        wait_for_products<1>(); // the scores
        release(&barriers.empty_k[next]);
        const bool exceeds = weigh(rows, score, factor, n, causal, scale, top + row, start);
        wait_for_products<0>();
        release(&barriers.empty_v[stage]);
        if (exceeds) {
            rescale(rows, factor);
        }
        factors(weight, score);
        stage = next, parity = next_parity;
    }
    wait(&barriers.full_v[stage], parity);
    begin_sums<D>(rows.out, weight, tiles.v[stage]);
    wait_for_products<0>();
    rows.store(n, top + row, o + (size_t)head * D);
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
attention_64(int n, int heads, int causal, float scale, const __grid_constant__ TensorMap q, const __grid_constant__ TensorMap k,
             const __grid_constant__ TensorMap v, unsigned short *o)
{
    attention<64>(n, heads, causal, scale, q, k, v, o);
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
attention_128(int n, int heads, int causal, float scale, const __grid_constant__ TensorMap q, const __grid_constant__ TensorMap k,
              const __grid_constant__ TensorMap v, unsigned short *o)
{
    attention<128>(n, heads, causal, scale, q, k, v, o);
}
