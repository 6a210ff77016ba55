// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a tile has twice as many keys; the sorted keys take the place of the counts, and two ranks share a register.
// Why:     a digit's run is twice as long, and a tile's counts, scans and looking back serve twice as many keys.
// Expect:  a fifth of the time less, since keys and ranks still fit into registers.

#define DIGITS 256
#define THREADS 256 // of a block
#define WARPS (THREADS / 32)
#define KEYS 32 // of a thread
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

extern "C" __global__ void __launch_bounds__(THREADS, 3) sweep(unsigned int n, unsigned int pass, const unsigned int* in,
    unsigned int* out, const unsigned int* totals, unsigned int* tickets, volatile unsigned int* states)
{
    __shared__ unsigned int start[DIGITS], in_tile[DIGITS], sorted[TILE];
    unsigned int(*const of_warp)[DIGITS] = (unsigned int(*)[DIGITS])sorted; // until the keys are there
    const unsigned int thread = threadIdx.x, warp = thread / 32, shift = 8 * pass;
    const unsigned int tile = next_tile(tickets + pass);
    volatile unsigned int* const state = states + pass * gridDim.x * DIGITS;
    unsigned int key[KEYS], ranks[KEYS / 2], all;
    load_keys(n, in, tile, key);
    clear_counts(of_warp[warp]);
#pragma unroll
    for (unsigned int k = 0; k < KEYS; k += 2) {
        const unsigned int rank = rank_row(digit_of(key[k], shift), of_warp[warp]);
        ranks[k / 2] = rank | rank_row(digit_of(key[k + 1], shift), of_warp[warp]) << 16;
    }
    __syncthreads(); // all warps have counted
    const unsigned int count = scan_warps(of_warp);
    if (tile > 0) {
        state[tile * DIGITS + thread] = OWN | count;
    }
    in_tile[thread] = scan_block(count, all);
    __syncthreads(); // the digits' places in the tile are there
#pragma unroll
    for (unsigned int k = 0; k < KEYS; k += 2) {
        const unsigned int d = digit_of(key[k], shift), next = digit_of(key[k + 1], shift);
        ranks[k / 2] += in_tile[d] + of_warp[warp][d] + (in_tile[next] + of_warp[warp][next] << 16);
    }
    __syncthreads(); // nobody needs the counts any more
#pragma unroll
    for (unsigned int k = 0; k < KEYS; k += 2) {
        sorted[ranks[k / 2] & 0xffff] = key[k];
        sorted[ranks[k / 2] >> 16] = key[k + 1];
    }
    // The first tile knows where digits begin: after all smaller ones.
    const unsigned int smaller = tile == 0 ? scan_block(totals[pass * DIGITS + thread], all) : 0;
    const unsigned int own = tile == 0 ? smaller : look_back(tile, thread, state);
    state[tile * DIGITS + thread] = ALL | (own + count);
    start[thread] = own - in_tile[thread];
    __syncthreads(); // the tile is sorted
    if ((tile + 1) * TILE <= n) { // the same for all threads: stores without checks
#pragma unroll
        for (unsigned int k = 0; k < KEYS; k++) {
            const unsigned int i = k * THREADS + thread, it = sorted[i];
            out[start[digit_of(it, shift)] + i] = it;
        }
        return;
    }
    for (unsigned int i = thread; tile * TILE + i < n; i += THREADS) {
        out[start[digit_of(sorted[i], shift)] + i] = sorted[i];
    }
}
