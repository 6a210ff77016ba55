// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: each block scans 256 elements in shared memory; blocks' sums are scanned alike, then added.
// Why:     an element needs the sum of all before it, and blocks of a launch know nothing of each other.
// Expect:  16 n bytes moved instead of 8 n, and sixteen barriers for 256 elements.

#define THREADS 256 // of a block

extern "C" __global__ void scan(unsigned int n, const unsigned int* in, unsigned int* out, unsigned int* sums)
{
    __shared__ unsigned int part[THREADS];
    const unsigned int thread = threadIdx.x;
    const unsigned int i = thread + blockIdx.x * THREADS;
    part[thread] = i < n ? in[i] : 0;
    __syncthreads(); // all elements are there
    for (unsigned int step = 1; step < THREADS; step *= 2) {
        const unsigned int before = thread >= step ? part[thread - step] : 0;
        __syncthreads(); // all have read
        part[thread] += before;
        __syncthreads(); // all have written
    }
    if (i < n) {
        out[i] = part[thread];
    }
    if (thread == THREADS - 1) {
        sums[blockIdx.x] = part[thread];
    }
}

// Adds the sum of all blocks before it to each element of a block.
extern "C" __global__ void add(unsigned int n, unsigned int* out, const unsigned int* sums)
{
    const unsigned int i = threadIdx.x + blockIdx.x * THREADS;
    if (blockIdx.x > 0 && i < n) {
        out[i] += sums[blockIdx.x - 1];
    }
}
