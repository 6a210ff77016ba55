// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: all blocks wait for each other at a barrier of the grid; then the first block adds the parts.
// Why:     a barrier is easier to understand than a block that finds itself the last; it needs a cooperative launch.
// Expect:  no gain: all blocks wait, and only one of them has something to do afterwards.

#define THREADS 256 // of a block
#define WARPS (THREADS / 32)
#define TOP_BIT 0x80000000

__device__ unsigned int meeting; // its top bit changes when all blocks have met

__device__ unsigned int of_warp(unsigned int own)
{
    for (unsigned int step = 16; step > 0; step /= 2) {
        own += __shfl_down_sync(0xffffffff, own, step);
    }
    return own; // in lane 0
}

__device__ unsigned int of_block(unsigned int own)
{
    __shared__ unsigned int part[WARPS];
    const unsigned int thread = threadIdx.x;
    own = of_warp(own);
    if (thread % 32 == 0) {
        part[thread / 32] = own;
    }
    __syncthreads(); // each warp's part is there
    return thread < 32 ? of_warp(thread < WARPS ? part[thread] : 0) : 0; // in thread 0
}

extern "C" __global__ void reduce(unsigned int n, const unsigned int* in, unsigned int* sum, unsigned int* parts)
{
    const unsigned int thread = threadIdx.x;
    const unsigned int threads = gridDim.x * THREADS;
    const uint4* const fours = (const uint4*)in;
    unsigned int own = 0;
    unsigned int i = thread + blockIdx.x * THREADS;
    for (; i + threads < n / 4; i += 2 * threads) {
        const uint4 a = fours[i], b = fours[i + threads];
        own += a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
    }
    if (i < n / 4) {
        const uint4 a = fours[i];
        own += a.x + a.y + a.z + a.w;
    }
    i = n / 4 * 4 + thread;
    if (blockIdx.x == 0 && i < n) {
        own += in[i]; // one of the last three
    }
    own = of_block(own);
    if (thread == 0) {
        parts[blockIdx.x] = own;
        __threadfence(); // the part is written before the block is counted
        const unsigned int own_count = blockIdx.x == 0 ? TOP_BIT - (gridDim.x - 1) : 1;
        const unsigned int before = atomicAdd(&meeting, own_count);
        while (((before ^ *(volatile unsigned int*)&meeting) & TOP_BIT) == 0) { // until all have been counted
        }
        __threadfence(); // and the parts are read after that
    }
    __syncthreads(); // the whole grid has arrived
    if (blockIdx.x == 0) {
        own = 0;
        for (unsigned int block = thread; block < gridDim.x; block += THREADS) {
            own += parts[block];
        }
        own = of_block(own);
        if (thread == 0) {
            *sum = own;
        }
    }
}
