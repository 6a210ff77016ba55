// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: each lane has bins of its own, all in one bank of shared memory; the warps of a block share them.
// Why:     lanes of a warp then never meet, neither in a bin nor in a bank: an addition takes one pass for 32 lanes.
// Expect:  the memory's bandwidth, whatever the data: uniform, skewed and constant values take the same time.

#define BINS 256

extern "C" __global__ void clear(unsigned int* bins)
{
    bins[threadIdx.x] = 0;
}

#define THREADS 512 // of a block
#define LANES 32

__device__ void count_four(unsigned int (*own)[LANES], unsigned int lane, unsigned int values)
{
    for (unsigned int byte = 0; byte < 4; byte++) {
        atomicAdd(&own[values >> 8 * byte & 0xff][lane], 1u);
    }
}

extern "C" __global__ void histogram(unsigned int n, const unsigned char* in, unsigned int* bins)
{
    __shared__ unsigned int own[BINS][LANES]; // a column for each lane: 32 KB
    for (unsigned int bin = threadIdx.x; bin < BINS * LANES; bin += THREADS) {
        own[bin / LANES][bin % LANES] = 0;
    }
    __syncthreads(); // the bins are empty
    const unsigned int lane = threadIdx.x % LANES;
    const unsigned int threads = gridDim.x * THREADS;
    const uint4* const sixteens = (const uint4*)in;
    for (unsigned int i = threadIdx.x + blockIdx.x * THREADS; i < n / 16; i += threads) {
        const uint4 values = sixteens[i];
        count_four(own, lane, values.x);
        count_four(own, lane, values.y);
        count_four(own, lane, values.z);
        count_four(own, lane, values.w);
    }
    const unsigned int i = n / 16 * 16 + threadIdx.x;
    if (blockIdx.x == 0 && i < n) {
        atomicAdd(&own[in[i]][lane], 1u); // one of the last fifteen
    }
    __syncthreads(); // the block has counted
    for (unsigned int bin = threadIdx.x; bin < BINS; bin += THREADS) {
        unsigned int count = 0;
        for (unsigned int l = 0; l < LANES; l++) {
            count += own[bin][(bin + l) % LANES]; // each thread begins in another bank
        }
        atomicAdd(&bins[bin], count);
    }
}
