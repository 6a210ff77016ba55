// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a block adds its elements in a tree in shared memory; one thread adds the block's part to the sum.
// Why:     one atomic addition for 256 elements; the other additions stay inside the multiprocessor.
// Expect:  a large gain. But in each round only every second, fourth, eighth … thread adds: all warps stay busy.

#define THREADS 256 // of a block

extern "C" __global__ void clear(unsigned int* sum)
{
    *sum = 0;
}

extern "C" __global__ void reduce(unsigned int n, const unsigned int* in, unsigned int* sum)
{
    __shared__ unsigned int part[THREADS];
    const unsigned int thread = threadIdx.x;
    const unsigned int i = thread + blockIdx.x * THREADS;
    part[thread] = i < n ? in[i] : 0;
    __syncthreads(); // all parts are there
    for (unsigned int step = 1; step < THREADS; step *= 2) {
        if (thread % (2 * step) == 0) {
            part[thread] += part[thread + step];
        }
        __syncthreads(); // the round is done
    }
    if (thread == 0) {
        atomicAdd(sum, part[0]);
    }
}
