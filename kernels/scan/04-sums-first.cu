// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the first launch only adds: the sum of each tile. After those are scanned, tiles are scanned with what is before them.
// Why:     elements are read twice, but written once.
// Expect:  12 n bytes moved instead of 16 n.

#define THREADS 512 // of a block
#define WARPS (THREADS / 32)
#define ROWS 4 // of 128 elements, of a warp
#define TILE (THREADS * ROWS * 4)

#include "rows.cuh"

// The sum of each tile.
extern "C" __global__ void sum(unsigned int n, const unsigned int* in, unsigned int* sums)
{
    const unsigned int i = first(blockIdx.x);
    unsigned int own = 0;
#pragma unroll
    for (unsigned int r = 0; r < ROWS; r++) {
        const uint4 four = load(n, in, i + 128 * r);
        own += four.x + four.y + four.z + four.w;
    }
    const unsigned int all = scan_warps(scan_warp(own))[WARPS - 1];
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = all;
    }
}

// Scans each tile, after the scanned sums of all tiles.
extern "C" __global__ void scan(unsigned int n, const unsigned int* in, unsigned int* out, const unsigned int* sums)
{
    const unsigned int warp = threadIdx.x / 32;
    const unsigned int i = first(blockIdx.x);
    uint4 row[ROWS];
#pragma unroll
    for (unsigned int r = 0; r < ROWS; r++) {
        row[r] = load(n, in, i + 128 * r);
    }
    const unsigned int* const of_warps = scan_warps(scan_rows(row));
    const unsigned int before = (warp > 0 ? of_warps[warp - 1] : 0) + (blockIdx.x > 0 ? sums[blockIdx.x - 1] : 0);
#pragma unroll
    for (unsigned int r = 0; r < ROWS; r++) {
        store(n, out, i + 128 * r, row[r], before);
    }
}
