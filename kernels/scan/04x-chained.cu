// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: one launch: a tile waits for the sum of all before it, adds its own, and passes it on to the next.
// Why:     every element is read once and written once: 8 n bytes.
// Expect:  a chain: the sum goes from tile to tile through the L2 cache, which takes longer than all the rest.

#define THREADS 512 // of a block
#define WARPS (THREADS / 32)
#define ROWS 4 // of 128 elements, of a warp
#define TILE (THREADS * ROWS * 4)

#define KNOWN (1ull << 32) // above a sum: it is there

__device__ unsigned int scan_warp(unsigned int own)
{
    for (unsigned int step = 1; step < 32; step *= 2) {
        const unsigned int before = __shfl_up_sync(0xffffffff, own, step);
        own += threadIdx.x % 32 >= step ? before : 0;
    }
    return own;
}

// The sums of the block's warps, each with those before it, from what each warp has in its last lane.
__device__ const unsigned int* scan_warps(unsigned int own)
{
    __shared__ unsigned int sum[WARPS];
    const unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 31) {
        sum[warp] = own;
    }
    __syncthreads(); // each warp's sum is there
    if (warp == 0) {
        const unsigned int all = scan_warp(lane < WARPS ? sum[lane] : 0);
        if (lane < WARPS) {
            sum[lane] = all;
        }
    }
    __syncthreads(); // they are scanned
    return sum;
}

__device__ uint4 load(unsigned int n, const unsigned int* in, unsigned int i)
{
    if (i + 4 <= n) {
        return *(const uint4*)(in + i);
    }
    return make_uint4(i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0, i + 2 < n ? in[i + 2] : 0, 0);
}

__device__ void store(unsigned int n, unsigned int* out, unsigned int i, uint4 four, unsigned int before)
{
    if (i + 4 <= n) {
        *(uint4*)(out + i) = make_uint4(four.x + before, four.y + before, four.z + before, four.w + before);
        return;
    }
    if (i < n) {
        out[i] = four.x + before;
    }
    if (i + 1 < n) {
        out[i + 1] = four.y + before;
    }
    if (i + 2 < n) {
        out[i + 2] = four.z + before;
    }
}

// The first element of this thread in the first row of its warp.
__device__ unsigned int first(unsigned int tile)
{
    return tile * TILE + threadIdx.x / 32 * (TILE / WARPS) + threadIdx.x % 32 * 4;
}

// Scans the rows of a warp; the sum of all in its last lane.
__device__ unsigned int scan_rows(uint4 row[ROWS])
{
    unsigned int all = 0;
    for (unsigned int r = 0; r < ROWS; r++) {
        row[r].y += row[r].x;
        row[r].z += row[r].y;
        row[r].w += row[r].z;
        const unsigned int own = scan_warp(row[r].w);
        const unsigned int before = all + own - row[r].w;
        row[r].x += before;
        row[r].y += before;
        row[r].z += before;
        row[r].w += before;
        all += __shfl_sync(0xffffffff, own, 31);
    }
    return all;
}

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
