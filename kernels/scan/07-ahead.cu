// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a block loads a tile two rounds ahead, and scans it and publishes its sum one round ahead.
// Why:     when a block asks for the sums of a round, they have long been there; memory moves other tiles meanwhile.
// Expect:  nobody waits: near the speed of a copy. Three tiles are in registers, so that blocks are small.

#define THREADS 128 // of a block
#define WARPS (THREADS / 32)
#define ROWS 8 // of 128 elements, of a warp
#define TILE (THREADS * ROWS * 4)

#define THERE (1ull << 32) // above a sum: it is there

#include "rows.cuh"
#include "rounds.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 3) scan(
    unsigned int n, const unsigned int* in, unsigned int* out, volatile unsigned long long* state)
{
    unsigned int tile = blockIdx.x, of_tiles = 0;
    uint4 row[ROWS], next[ROWS], loading[ROWS];
    unsigned long long seen[READS];
    load_tile(n, in, tile, next);
    load_tile(n, in, tile + gridDim.x, loading);
    unsigned int in_next = scan_tile(n, next, tile, state);
    __syncthreads(); // all warps know what is before them
    for (; tile * TILE < n; tile += gridDim.x) {
        const unsigned int in_tile = in_next;
        read_sums(tile, state, seen);
#pragma unroll
        for (unsigned int r = 0; r < ROWS; r++) {
            row[r] = next[r];
            next[r] = loading[r];
        }
        load_tile(n, in, tile + 2 * gridDim.x, loading);
        in_next = scan_tile(n, next, tile + gridDim.x, state);
        of_tiles += sum_of_round(tile, state, seen);
        store_tile(n, out, tile, row, of_tiles + in_tile);
    }
}
