// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: no cluster. Both blocks read the same values, and each counts those whose bins it has.
// Why:     all additions stay inside the multiprocessor. Loads are cheap: L2 has every second one.
// Expect:  twice the loads and tests, but several times as many additions in the same time.

#include "values.cuh"

#define THREADS 1024 // of a block
#define BLOCKS 2 // that have all bins
#define OWN (BINS / BLOCKS) // bins of a block

extern "C" __global__ void __launch_bounds__(THREADS, 1) histogram(unsigned int n, const unsigned short* in, unsigned int* bins)
{
    extern __shared__ unsigned int own[];
    const unsigned int rank = blockIdx.x % BLOCKS, pair = blockIdx.x / BLOCKS, pairs = gridDim.x / BLOCKS;
    for (unsigned int bin = threadIdx.x; bin < OWN; bin += THREADS) {
        own[bin] = 0;
    }
    __syncthreads(); // the bins are empty
    for_each(n, in, threadIdx.x + pair * THREADS, pairs * THREADS, [&](unsigned int value) {
        if (value / OWN == rank) {
            atomicAdd(&own[value % OWN], 1u);
        }
    });
    __syncthreads(); // the block has counted
    for (unsigned int bin = threadIdx.x; bin < OWN; bin += THREADS) {
        atomicAdd(&bins[rank * OWN + bin], own[bin]);
    }
}
