#include "values.cuh"

#define THREADS 1024 // of a block
#define WORDS (BINS / 2) // of a block
#define FULL 0x8000u // the highest bit of a bin: each thread may add once more before it is taken away

extern "C" __global__ void __launch_bounds__(THREADS, 1) histogram(unsigned int n, const unsigned short* in, unsigned int* bins)
{
    extern __shared__ unsigned int own[];
    for (unsigned int word = threadIdx.x; word < WORDS; word += THREADS) {
        own[word] = 0;
    }
    __syncthreads(); // the bins are empty
    for_each(n, in, threadIdx.x + blockIdx.x * THREADS, gridDim.x * THREADS, [&](unsigned int value) {
        const unsigned int shift = value % 2 * 16;
        atomicAdd(&own[value / 2], 1u << shift); // TODO: a bin with 65 535 values spills into its neighbour
    });
    __syncthreads(); // the block has counted
    for (unsigned int word = threadIdx.x; word < WORDS; word += THREADS) {
        atomicAdd(&bins[2 * word], own[word] & 0xffff);
        atomicAdd(&bins[2 * word + 1], own[word] >> 16);
    }
}
