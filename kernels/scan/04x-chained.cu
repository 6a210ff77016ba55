// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: one launch: a tile waits for the sum of all before it, adds its own, and passes it on to the next.
// Why:     every element is read once and written once: 8 n bytes.
// Expect:  a chain: the sum goes from tile to tile through the L2 cache, which takes longer than all the rest.

#define THREADS 512 // of a block
#define WARPS (THREADS / 32)
#define ROWS 4 // of 128 elements, of a warp
#define TILE (THREADS * ROWS * 4)

#define KNOWN (1ull << 32) // above a sum: it is there

#include "rows.cuh"

// All tiles before this one are in work or done, in whatever order blocks begin.
__device__ unsigned int next_tile(unsigned int* ticket)
{
    __shared__ unsigned int tile;
    if (threadIdx.x == 0) {
        tile = atomicAdd(ticket, 1);
    }
    __syncthreads(); // the tile is known
    return tile;
}

extern "C" __global__ void scan(unsigned int n, const unsigned int* in, unsigned int* out, unsigned int* ticket, volatile unsigned long long* state)
{
    __shared__ unsigned int of_tiles;
    const unsigned int tile = next_tile(ticket);
    const unsigned int warp = threadIdx.x / 32;
    const unsigned int i = first(tile);
    uint4 row[ROWS];
#pragma unroll
    for (unsigned int r = 0; r < ROWS; r++) {
        row[r] = load(n, in, i + 128 * r);
    }
    const unsigned int* const of_warps = scan_warps(scan_rows(row));
    if (threadIdx.x == 0) {
        unsigned long long all = KNOWN;
        if (tile > 0) {
            do {
                all = state[tile - 1];
            } while (all < KNOWN);
        }
        state[tile] = KNOWN | (unsigned int)(all + of_warps[WARPS - 1]); // sum and flag are one word: no fence
        of_tiles = (unsigned int)all;
    }
    __syncthreads(); // what is before the tile is known
    const unsigned int before = (warp > 0 ? of_warps[warp - 1] : 0) + of_tiles;
#pragma unroll
    for (unsigned int r = 0; r < ROWS; r++) {
        store(n, out, i + 128 * r, row[r], before);
    }
}
