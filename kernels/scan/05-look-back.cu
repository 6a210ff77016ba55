// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: one launch: a tile publishes its own sum at once; a warp looks back over tiles until one knows the sum of all before.
// Why:     nobody waits for a chain: the sums of 32 tiles are added at a time, known as soon as these were read.
// Expect:  every element is read once and written once, 8 n bytes: the speed of a copy.

#define THREADS 512 // of a block
#define WARPS (THREADS / 32)
#define ROWS 4 // of 128 elements, of a warp
#define TILE (THREADS * ROWS * 4)

#define OWN (1ull << 32) // above a sum: it is the tile's own
#define ALL (2ull << 32) // above a sum: it is that of all tiles up to this one

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

// The sum of all tiles before this one, for all lanes of a warp.
__device__ unsigned int look_back(unsigned int tile, volatile unsigned long long* state)
{
    unsigned int sum = 0;
    for (int last = (int)tile - 1; last >= 0; last -= 32) {
        const int other = last - (int)(threadIdx.x % 32);
        unsigned long long seen = ALL; // of tiles before the first
        if (other >= 0) {
            do {
                seen = state[other];
            } while (seen < OWN);
        }
        __syncwarp();
        const unsigned int ends = __ballot_sync(0xffffffff, seen >= ALL);
        const unsigned int end = ends == 0 ? 31 : __ffs(ends) - 1; // the nearest that knows all
        unsigned int own = threadIdx.x % 32 <= end ? (unsigned int)seen : 0;
        for (unsigned int step = 16; step > 0; step /= 2) {
            own += __shfl_xor_sync(0xffffffff, own, step);
        }
        sum += own;
        if (ends != 0) {
            break;
        }
    }
    return sum;
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
    if (warp == 0) {
        const unsigned int own = of_warps[WARPS - 1];
        if (threadIdx.x == 0 && tile > 0) {
            state[tile] = OWN | own; // sum and flag are one word: no fence
        }
        const unsigned int all = look_back(tile, state);
        if (threadIdx.x == 0) {
            state[tile] = ALL | (unsigned int)(all + own);
            of_tiles = all;
        }
    }
    __syncthreads(); // what is before the tile is known
    const unsigned int before = (warp > 0 ? of_warps[warp - 1] : 0) + of_tiles;
#pragma unroll
    for (unsigned int r = 0; r < ROWS; r++) {
        store(n, out, i + 128 * r, row[r], before);
    }
}
