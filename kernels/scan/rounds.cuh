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

#define READS 4 // sums that a thread reads: as many blocks as that for each of its threads run at most

// Reads the sums of the tiles since the block's last one, of all before it in the first round; some may not be there yet.
__device__ void read_sums(unsigned int tile, volatile unsigned long long* state, unsigned long long seen[READS])
{
#pragma unroll
    for (unsigned int r = 0; r < READS; r++) {
        const unsigned int back = 1 + threadIdx.x + r * THREADS;
        seen[r] = back <= min(tile, gridDim.x) ? state[tile - back] : THERE;
    }
}

// Their sum, once all are there.
__device__ unsigned int sum_of_round(unsigned int tile, volatile unsigned long long* state, unsigned long long seen[READS])
{
    unsigned int own = 0;
#pragma unroll
    for (unsigned int r = 0; r < READS; r++) {
        while (seen[r] < THERE) {
            seen[r] = state[tile - (1 + threadIdx.x + r * THREADS)];
        }
        own += (unsigned int)seen[r];
    }
    return add_threads(own);
}

__device__ void load_tile(unsigned int n, const unsigned int* in, unsigned int tile, uint4 row[ROWS])
{
    const unsigned int i = first(tile);
    if ((tile + 1) * TILE <= n) { // the same for all threads: loads without checks
#pragma unroll
        for (unsigned int r = 0; r < ROWS; r++) {
            row[r] = *(const uint4*)(in + i + 128 * r);
        }
        return;
    }
#pragma unroll
    for (unsigned int r = 0; r < ROWS; r++) {
        row[r] = load(n, in, i + 128 * r);
    }
}

__device__ void store_tile(unsigned int n, unsigned int* out, unsigned int tile, uint4 row[ROWS], unsigned int before)
{
    const unsigned int i = first(tile);
    if ((tile + 1) * TILE <= n) {
#pragma unroll
        for (unsigned int r = 0; r < ROWS; r++) {
            *(uint4*)(out + i + 128 * r) = make_uint4(row[r].x + before, row[r].y + before, row[r].z + before, row[r].w + before);
        }
        return;
    }
#pragma unroll
    for (unsigned int r = 0; r < ROWS; r++) {
        store(n, out, i + 128 * r, row[r], before);
    }
}
