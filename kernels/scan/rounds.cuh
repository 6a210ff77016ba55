// SPDX-License-Identifier: MIT OR Apache-2.0
// Blocks that take tiles in rounds and tell each other the tiles' sums (step 06).

// Scans a tile and publishes its sum, unless it is after the end; what is before a warp in it.
__device__ unsigned int scan_tile(unsigned int n, uint4 row[ROWS], unsigned int tile, volatile unsigned long long* state)
{
    const unsigned int* const of_warps = scan_warps(scan_rows(row));
    if (threadIdx.x == 0 && tile * TILE < n) {
        state[tile] = THERE | of_warps[WARPS - 1]; // sum and flag are one word: no fence
    }
    return threadIdx.x >= 32 ? of_warps[threadIdx.x / 32 - 1] : 0;
}

// What the threads of a block have, added up for all of them.
__device__ unsigned int add_threads(unsigned int own)
{
    __shared__ unsigned int part[WARPS];
    const unsigned int lane = threadIdx.x % 32;
    own = __shfl_sync(0xffffffff, scan_warp(own), 31);
    if (lane == 0) {
        part[threadIdx.x / 32] = own;
    }
    __syncthreads(); // each warp's part is there
    return __shfl_sync(0xffffffff, scan_warp(lane < WARPS ? part[lane] : 0), 31);
}

// The sum of the tiles since the block's last one, once they are there; of all before it in the first round.
__device__ unsigned int sum_of_round(unsigned int tile, volatile unsigned long long* state)
{
    const unsigned int tiles = min(tile, gridDim.x);
    unsigned int own = 0;
    for (unsigned int back = 1 + threadIdx.x; back <= tiles; back += THREADS) {
        unsigned long long seen;
        do {
            seen = state[tile - back];
        } while (seen < THERE);
        own += (unsigned int)seen;
    }
    return add_threads(own);
}
