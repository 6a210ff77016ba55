// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: as many blocks run as there are multiprocessors, and each has several tiles of queries.
// Why:     the first keys of the next tile are copied while the results of the last one are stored.
// Expect:  a few percent with 4096 queries, nothing with many more.

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
#include "turns.cuh"

template <int D>
__device__ __forceinline__ void attention(int n, int heads, int causal, float scale, const TensorMap &q, const TensorMap &k,
                                          const TensorMap &v, unsigned short *o)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    Tiles<D> &tiles = *(Tiles<D> *)shared;
    __shared__ Barriers barriers;
    const int last = (n - 1) / QUERIES; // tile of queries
    int top, head, end;
    const auto choose = [&](int round) { // whether there is another tile for this block
        const int i = round * gridDim.x + (round % 2 ? gridDim.x - 1 - blockIdx.x : blockIdx.x);
        top = (last - i / heads) * QUERIES; // its first query
        head = i % heads * n; // its head's first row. What follows its last one is another's: finite, and its weight is 0
        end = causal ? min(n, top + QUERIES) : n; // of the keys
        return top >= 0;
    };

    if (threadIdx.x == 0) {
        barriers.begin_all(THREADS / 32 - 4);
    }
    __syncthreads();
    if (threadIdx.x < 128) {
        give_registers<24>();
        if (threadIdx.x == 0) {
            int i = 0; // tiles of K and V so far
            for (int round = 0; choose(round); round++) {
                wait(&barriers.empty_q, round % 2 ^ 1); // the phase before the first has ended
                copy_rows(tiles.q, q, head + top, &barriers.full_q);
                for (int start = 0; start < end; start += KEYS, i++) {
                    const int stage = i % STAGES, parity = i / STAGES % 2;
                    wait(&barriers.empty_k[stage], parity ^ 1);
                    copy_rows(tiles.k[stage], k, head + start, &barriers.full_k[stage]);
                    wait(&barriers.empty_v[stage], parity ^ 1);
                    copy_rows(tiles.v[stage], v, head + start, &barriers.full_v[stage]);
                }
            }
        }
        return;
    }
    take_registers<240>();
    const int row = threadIdx.x / 32 * 16 - 64, group = row / 64 * 64; // the first query of the warp and of its group, in the block
    first_turn(group);
    int stage = 0, parity = 0; // of V
    for (int round = 0; choose(round); round++) {
        Rows<D> rows;
        float score[KEYS / 8][4], factor[2];
        unsigned weight[KEYS / 16][4];
        wait(&barriers.full_q, round % 2);
        wait(&barriers.full_k[stage], parity);
        await_turn(group);
        begin_scores(score, tiles.q, group, tiles.k[stage]);
        give_turn(group);
        wait_for_products<0>();
        release(&barriers.empty_k[stage]);
        weigh(rows, score, factor, n, causal, scale, top + row, 0);
        factors(weight, score);
        for (int start = KEYS; start < end; start += KEYS) {
            const int next = (stage + 1) % STAGES, next_parity = next ? parity : parity ^ 1;
            wait(&barriers.full_k[next], next_parity);
            await_turn(group);
            begin_scores(score, tiles.q, group, tiles.k[next]);
            wait(&barriers.full_v[stage], parity);
            begin_sums<D>(rows.out, weight, tiles.v[stage]);
            give_turn(group);
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
        release(&barriers.empty_q);
        wait(&barriers.full_v[stage], parity);
        begin_sums<D>(rows.out, weight, tiles.v[stage]);
        wait_for_products<0>();
        release(&barriers.empty_v[stage]);
        stage = (stage + 1) % STAGES, parity = stage ? parity : parity ^ 1;
        rows.store(n, top + row, o + (size_t)head * D);
    }
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
