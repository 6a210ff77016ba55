// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a block learns its places by looking back over the counts of the tiles before it, as the last scan does.
// Why:     tiles then have their places in the order of the input, and no word is asked by all blocks.
// Expect:  the speed of 04, and the order of the input is kept.

#define LIMIT 0x80000000 // values below are kept
#define THREADS 256 // of a block
#define WARPS (THREADS / 32)
#define ROWS 16 // of 32 values, of a warp
#define TILE (THREADS * ROWS)

#define OWN (1ull << 32) // above a count: it is the tile's own
#define ALL (2ull << 32) // above a count: it is that of all tiles up to this one

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

// What all tiles before this one keep, for all lanes of a warp.
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

extern "C" __global__ void append(unsigned int n, const unsigned int* in, unsigned int* out, unsigned int* end, unsigned int* ticket,
    volatile unsigned long long* state)
{
    __shared__ unsigned int of_warp[WARPS], start;
    const unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32, below = (1u << lane) - 1;
    const unsigned int tile = next_tile(ticket);
    const unsigned int i = tile * TILE + warp * (TILE / WARPS) + lane;
    unsigned int value[ROWS], count = 0;
#pragma unroll
    for (unsigned int r = 0; r < ROWS; r++) {
        value[r] = i + 32 * r < n ? in[i + 32 * r] : LIMIT;
    }
#pragma unroll
    for (unsigned int r = 0; r < ROWS; r++) {
        count += __popc(__ballot_sync(0xffffffff, value[r] < LIMIT));
    }
    if (lane == 0) {
        of_warp[warp] = count;
    }
    __syncthreads(); // each warp's count is there
    unsigned int before = 0, all = 0;
    for (unsigned int w = 0; w < WARPS; w++) {
        before += w < warp ? of_warp[w] : 0;
        all += of_warp[w];
    }
    if (warp == 0) {
        if (lane == 0 && tile > 0) {
            state[tile] = OWN | all; // count and flag are one word: no fence
        }
        const unsigned int of_tiles = look_back(tile, state);
        if (lane == 0) {
            state[tile] = ALL | (of_tiles + all);
            start = of_tiles;
            if ((tile + 1) * TILE >= n) {
                *end = of_tiles + all; // the last tile
            }
        }
    }
    __syncthreads(); // the block has its places
    unsigned int place = start + before;
#pragma unroll
    for (unsigned int r = 0; r < ROWS; r++) {
        const unsigned int kept = __ballot_sync(0xffffffff, value[r] < LIMIT);
        if (value[r] < LIMIT) {
            out[place + __popc(kept & below)] = value[r];
        }
        place += __popc(kept);
    }
}
