// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a block takes places for 4096 values at a time; their order in it is found by counting rows and warps.
// Why:     one atomic addition serves 4096 values, and what a warp writes lies side by side.
// Expect:  atomics no longer count. Tiles still come in any order.

#define LIMIT 0x80000000 // values below are kept
#define THREADS 256 // of a block
#define WARPS (THREADS / 32)
#define ROWS 16 // of 32 values, of a warp
#define TILE (THREADS * ROWS)

extern "C" __global__ void clear(unsigned int* end)
{
    *end = 0;
}

extern "C" __global__ void append(unsigned int n, const unsigned int* in, unsigned int* out, unsigned int* end)
{
    __shared__ unsigned int of_warp[WARPS], start;
    const unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32, below = (1u << lane) - 1;
    for (unsigned int tile = blockIdx.x; tile * TILE < n; tile += gridDim.x) {
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
        if (threadIdx.x == 0) {
            start = atomicAdd(end, all);
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
}
