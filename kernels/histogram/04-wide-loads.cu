// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a thread loads 16 values at once, as a `uint4`.
// Why:     a load of one byte a lane uses 32 bytes of a request that could bring 512; and loads wait for memory.
// Expect:  latency no longer counts; shared memory, where lanes meet in a bin or in a bank, is the limit.

#define BINS 256

extern "C" __global__ void clear(unsigned int* bins)
{
    bins[threadIdx.x] = 0;
}

#define THREADS 256 // of a block
#define WARPS (THREADS / 32)

__device__ void count_four(unsigned int* own, unsigned int values)
{
    for (unsigned int byte = 0; byte < 4; byte++) {
        atomicAdd(&own[values >> 8 * byte & 0xff], 1u);
    }
}

extern "C" __global__ void histogram(unsigned int n, const unsigned char* in, unsigned int* bins)
{
    __shared__ unsigned int own[WARPS][BINS];
    for (unsigned int bin = threadIdx.x; bin < WARPS * BINS; bin += THREADS) {
        own[bin / BINS][bin % BINS] = 0;
    }
    __syncthreads(); // the bins are empty
    const unsigned int warp = threadIdx.x / 32;
    const unsigned int threads = gridDim.x * THREADS;
    const uint4* const sixteens = (const uint4*)in;
    for (unsigned int i = threadIdx.x + blockIdx.x * THREADS; i < n / 16; i += threads) {
        const uint4 values = sixteens[i];
        count_four(own[warp], values.x);
        count_four(own[warp], values.y);
        count_four(own[warp], values.z);
        count_four(own[warp], values.w);
    }
    const unsigned int i = n / 16 * 16 + threadIdx.x;
    if (blockIdx.x == 0 && i < n) {
        atomicAdd(&own[warp][in[i]], 1u); // one of the last fifteen
    }
    __syncthreads(); // the block has counted
    for (unsigned int bin = threadIdx.x; bin < BINS; bin += THREADS) {
        unsigned int count = 0;
        for (unsigned int w = 0; w < WARPS; w++) {
            count += own[w][bin];
        }
        atomicAdd(&bins[bin], count);
    }
}
