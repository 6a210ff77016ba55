// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a ballot is written in PTX, with the test of the bit in it.
// Why:     the compiler makes a number of each test before the ballot and a test of the number after it: seven instructions a bit.
// Expect:  three a bit. Instructions are what the step before waits for.

#define DIGITS 256
#define THREADS 256 // of a block
#define WARPS (THREADS / 32)
#define KEYS 16 // of a thread
#define TILE (THREADS * KEYS)

#include "block.cuh"

// The lanes of the warp that have this digit.
__device__ unsigned int lanes_with(unsigned int digit)
{
    unsigned int same = 0xffffffff;
#pragma unroll
    for (unsigned int bit = 1; bit < DIGITS; bit *= 2) {
        unsigned int like; // lanes whose bit is like this one's
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; @!p not.b32 %0, %0; }"
                     : "=r"(like)
                     : "r"(digit & bit));
        same &= like;
    }
    return same;
}

#include "ranks.cuh"
#include "sweep.cuh"

extern "C" __global__ void sweep(unsigned int n, unsigned int pass, const unsigned int* in, unsigned int* out,
    const unsigned int* totals, unsigned int* tickets, volatile unsigned int* states)
{
    __shared__ unsigned int of_warp[WARPS][DIGITS], start[DIGITS], in_tile[DIGITS], sorted[TILE];
    const unsigned int thread = threadIdx.x, warp = thread / 32, shift = 8 * pass;
    const unsigned int tile = next_tile(tickets + pass);
    volatile unsigned int* const state = states + pass * gridDim.x * DIGITS;
    unsigned int key[KEYS], rank[KEYS], all;
    load_keys(n, in, tile, key);
    rank_keys(key, shift, rank, of_warp[warp]);
    __syncthreads(); // all warps have counted
    const unsigned int count = scan_warps(of_warp);
    if (tile > 0) {
        state[tile * DIGITS + thread] = OWN | count;
    }
    in_tile[thread] = scan_block(count, all);
    // The first tile knows where digits begin: after all smaller ones.
    const unsigned int smaller = tile == 0 ? scan_block(totals[pass * DIGITS + thread], all) : 0;
    const unsigned int own = tile == 0 ? smaller : look_back(tile, thread, state);
    state[tile * DIGITS + thread] = ALL | (own + count);
    start[thread] = own - in_tile[thread];
    __syncthreads(); // the starts are there
#pragma unroll
    for (unsigned int k = 0; k < KEYS; k++) {
        const unsigned int d = digit_of(key[k], shift);
        sorted[in_tile[d] + of_warp[warp][d] + rank[k]] = key[k];
    }
    __syncthreads(); // the tile is sorted
    for (unsigned int i = thread; i < TILE && tile * TILE + i < n; i += THREADS) {
        out[start[digit_of(sorted[i], shift)] + i] = sorted[i];
    }
}
