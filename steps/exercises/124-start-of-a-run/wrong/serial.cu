// says: work is badly divided
// A thread does the work of its block.

#define DIGITS 256
#define THREADS 256 // of a block
#define WARPS (THREADS / 32)
#define KEYS 16 // of a thread
#define TILE (THREADS * KEYS)

#include "block.cuh"
#include "counts.cuh"

// The lanes of the warp that have this digit.
__device__ unsigned int lanes_with(unsigned int digit)
{
    unsigned int same = 0xffffffff;
#pragma unroll
    for (unsigned int bit = 1; bit < DIGITS; bit *= 2) {
        const unsigned int set = __ballot_sync(0xffffffff, digit & bit);
        same &= digit & bit ? set : ~set;
    }
    return same;
}

#include "ranks.cuh"

extern "C" __global__ void scatter(unsigned int n, unsigned int shift, const unsigned int* in, unsigned int* out,
    const unsigned int* counts, const unsigned int* totals)
{
    __shared__ unsigned int start[DIGITS];
    start[threadIdx.x] = start_of(counts, totals);
    __syncthreads();
    if (threadIdx.x > 0) {
        return;
    }
    for (unsigned int i = blockIdx.x * TILE; i < (blockIdx.x + 1) * TILE && i < n; i++) {
        out[start[digit_of(in[i], shift)]++] = in[i];
    }
}
