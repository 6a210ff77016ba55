// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: as many blocks as run at once take the tiles in rounds; a tile adds the sums of the tiles since its block's last one.
// Why:     a block knows the sum up to its last tile: no tile waits for what another adds up, and no counter hands out tiles.
// Expect:  one wait for each round, for sums that all blocks publish at about the same time.

#define THREADS 512 // of a block
#define WARPS (THREADS / 32)
#define ROWS 8 // of 128 elements, of a warp
#define TILE (THREADS * ROWS * 4)

#define THERE (1ull << 32) // above a sum: it is there

#include "rows.cuh"
#include "rounds.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 2) scan(
    unsigned int n, const unsigned int* in, unsigned int* out, volatile unsigned long long* state)
{
    unsigned int of_tiles = 0;
    uint4 row[ROWS];
    unsigned long long seen[READS];
    for (unsigned int tile = blockIdx.x; tile * TILE < n; tile += gridDim.x) {
        load_tile(n, in, tile, row);
        const unsigned int in_tile = scan_tile(n, row, tile, state);
        read_sums(tile, state, seen);
        of_tiles += sum_of_round(tile, state, seen);
        store_tile(n, out, tile, row, of_tiles + in_tile);
    }
}
