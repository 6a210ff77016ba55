// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: bins are spread over the shared memory of two blocks, which are a cluster and add to each other's bins.
// Why:     a block of a cluster reaches the shared memory of the other. So shared memory has room for all bins.
// Expect:  half of the additions go to another multiprocessor, which still is nearer than L2.

#include "values.cuh"
#include "clusters.cuh"

#define THREADS 1024 // of a block
#define BLOCKS 2 // of a cluster
#define OWN (BINS / BLOCKS) // bins of a block

extern "C" __global__ void __launch_bounds__(THREADS, 1) histogram(unsigned int n, const unsigned short* in, unsigned int* bins)
{
    extern __shared__ unsigned int own[];
    const unsigned int rank = blockIdx.x % BLOCKS;
    for (unsigned int bin = threadIdx.x; bin < OWN; bin += THREADS) {
        own[bin] = 0;
    }
    meet(); // the bins of both blocks are empty
    for_each(n, in, threadIdx.x + blockIdx.x * THREADS, gridDim.x * THREADS, [&](unsigned int value) {
        count_in(&own[value % OWN], value / OWN);
    });
    meet(); // both blocks have counted
    for (unsigned int bin = threadIdx.x; bin < OWN; bin += THREADS) {
        atomicAdd(&bins[rank * OWN + bin], own[bin]);
    }
}
