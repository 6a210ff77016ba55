// SPDX-License-Identifier: MIT OR Apache-2.0
// Values that go where their own bits say.

#define DIGITS 256
#define THREADS 512 // of a block: the first ones have a digit
#define WARPS (THREADS / 32)
#define KEYS 20 // of a thread
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

// As `load_keys`, with one address for all rows instead of one for each: registers are few here.
__device__ void load_tile(unsigned int n, const unsigned int* in, unsigned int tile, unsigned int key[KEYS])
{
    const unsigned int first = tile * TILE + threadIdx.x / 32 * (32 * KEYS) + threadIdx.x % 32;
    const unsigned int* const from = in + first;
#pragma unroll
    for (unsigned int k = 0; k < KEYS; k++) {
        key[k] = first + 32 * k < n ? from[32 * k] : 0xffffffff;
    }
}

// Begins to bring what is at this place into the L2 cache.
__device__ void prefetch(const unsigned int* place)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(place));
}

extern "C" __global__ void __launch_bounds__(THREADS, 2) sweep(unsigned int n, unsigned int pass, const unsigned int* in,
    unsigned int* out, const unsigned int* totals, unsigned int* tickets, volatile unsigned int* states,
    const unsigned int* values, unsigned int* values_out)
{
    __shared__ unsigned int start[DIGITS], in_tile[DIGITS], sorted[TILE];
    unsigned int(*const of_warp)[DIGITS] = (unsigned int(*)[DIGITS])sorted; // until the keys are there
    const unsigned int thread = threadIdx.x, warp = thread / 32, shift = 8 * pass;
    const unsigned int tile = next_tile(tickets + pass);
    volatile unsigned int* const state = states + pass * gridDim.x * DIGITS;
    unsigned int key[KEYS], ranks[KEYS / 2], all;
    load_tile(n, in, tile, key);
    if (tile * TILE + thread * KEYS < n) {
        prefetch(values + tile * TILE + thread * KEYS); // all threads together: the values of the tile
    }
    clear_counts(of_warp[warp]);
#pragma unroll
    for (unsigned int k = 0; k < KEYS; k += 2) {
        const unsigned int rank = rank_row(digit_of(key[k], shift), of_warp[warp]);
        ranks[k / 2] = rank | rank_row(digit_of(key[k + 1], shift), of_warp[warp]) << 16;
    }
    __syncthreads(); // all warps have counted
    const unsigned int count = scan_warps(of_warp);
    if (tile > 0 && thread < DIGITS) {
        state[tile * DIGITS + thread] = OWN | count;
    }
    const unsigned int place = scan_block(count, all);
    if (thread < DIGITS) {
        in_tile[thread] = place;
    }
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
    const unsigned int smaller = tile == 0 ? scan_block(thread < DIGITS ? totals[pass * DIGITS + thread] : 0, all) : 0;
    if (thread < DIGITS) {
        const unsigned int own = tile == 0 ? smaller : look_back(tile, thread, state);
        state[tile * DIGITS + thread] = ALL | (own + count);
        start[thread] = own - place;
    }
    __syncthreads(); // the tile is sorted
    const unsigned int end = n - tile * TILE; // of the tile
#pragma unroll
    for (unsigned int k = 0; k < KEYS; k++) {
        const unsigned int i = k * THREADS + thread, it = sorted[i];
        if (i < end) {
            out[start[digit_of(it, shift)] + i] = it;
        }
    }
    load_tile(n, values, tile, key); // from here on these are the values
    __syncthreads(); // all sorted keys are read
#pragma unroll
    for (unsigned int k = 0; k < KEYS; k += 2) {
        sorted[ranks[k / 2] & 0xffff] = key[k];
        sorted[ranks[k / 2] >> 16] = key[k + 1];
    }
    __syncthreads(); // the values are in the order of the keys
#pragma unroll
    for (unsigned int k = 0; k < KEYS; k++) {
        const unsigned int i = k * THREADS + thread;
        if (i < end) {
            values_out[start[digit_of(sorted[i], shift)] + i] = sorted[i];
        }
    }
}
