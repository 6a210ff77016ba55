// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: no products: columns and values are read as words, and added up as whole numbers.
// Why:     to know how fast the matrix can be read at all.
// Expect:  the bandwidth of the memory; no step that reads as many bytes can be faster.

#include "lanes.cuh"

#define THREADS 256 // of a block

extern "C" __global__ void spmv(unsigned elements, const unsigned *columns, const unsigned *values, unsigned *sum_of_words)
{
    const unsigned thread = threadIdx.x + blockIdx.x * THREADS, threads = gridDim.x * THREADS;
    unsigned sum = 0;
    for (unsigned i = thread; i < elements / 4; i += threads) {
        const uint4 four = ((const uint4 *)columns)[i], more = ((const uint4 *)values)[i];
        sum += four.x + four.y + four.z + four.w + more.x + more.y + more.z + more.w;
    }
    const unsigned last = elements / 4 * 4 + thread; // of no four
    if (last < elements) {
        sum += columns[last] + values[last];
    }
    sum = sum_of<32>(sum);
    if (threadIdx.x % 32 == 0) {
        atomicAdd(sum_of_words, sum);
    }
}
