#define DIGITS 256
#define THREADS 256 // of a block
#define WARPS (THREADS / 32)
#define KEYS 16 // of a thread
#define TILE (THREADS * KEYS)

#include "block.cuh"
#include "counts.cuh"

// The lanes of the warp that have this digit.
__device__ unsigned int lanes_with(unsigned int digit)
{
    unsigned int same = 0xffffffff;
#pragma unroll
    for (unsigned int bit = 1; bit < DIGITS; bit *= 2) {
        const unsigned int set = __ballot_sync(0xffffffff, digit & bit);
        same &= digit & bit ? set : ~set;
    }
    return same;
}

#include "ranks.cuh"

extern "C" __global__ void scatter(unsigned int n, unsigned int shift, const unsigned int* in, unsigned int* out,
    const unsigned int* counts, const unsigned int* totals)
{
    __shared__ unsigned int of_warp[WARPS][DIGITS], start[DIGITS], in_tile[DIGITS], sorted[TILE];
    const unsigned int warp = threadIdx.x / 32;
    unsigned int key[KEYS], rank[KEYS], all;
    load_keys(n, in, blockIdx.x, key);
    rank_keys(key, shift, rank, of_warp[warp]);
    const unsigned int own = start_of(counts, totals); // and barriers, after which all warps have counted
    in_tile[threadIdx.x] = scan_block(scan_warps(of_warp), all);
    start[threadIdx.x] = own; // TODO: sorted[i] is the key of its digit with rank i only if the digit is the first
    __syncthreads(); // the starts are there
#pragma unroll
    for (unsigned int k = 0; k < KEYS; k++) {
        const unsigned int d = digit_of(key[k], shift);
        sorted[in_tile[d] + of_warp[warp][d] + rank[k]] = key[k];
    }
    __syncthreads(); // the tile is sorted
    for (unsigned int i = threadIdx.x; i < TILE && blockIdx.x * TILE + i < n; i += THREADS) {
        out[start[digit_of(sorted[i], shift)] + i] = sorted[i];
    }
}
