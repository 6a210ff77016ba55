// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a thread loads two elements and adds them before the tree begins.
// Why:     in the first round of a tree half of the threads do nothing; now every thread has added something.
// Expect:  half as many blocks, trees and atomic additions, and two loads on their way in each thread.

#define THREADS 256 // of a block

extern "C" __global__ void clear(unsigned int* sum)
{
    *sum = 0;
}

extern "C" __global__ void reduce(unsigned int n, const unsigned int* in, unsigned int* sum)
{
    __shared__ unsigned int part[THREADS];
    const unsigned int thread = threadIdx.x;
    const unsigned int i = thread + blockIdx.x * 2 * THREADS;
    part[thread] = (i < n ? in[i] : 0) + (i + THREADS < n ? in[i + THREADS] : 0);
    __syncthreads(); // all parts are there
    for (unsigned int step = THREADS / 2; step > 0; step /= 2) {
        if (thread < step) {
            part[thread] += part[thread + step];
        }
        __syncthreads(); // the round is done
    }
    if (thread == 0) {
        atomicAdd(sum, part[0]);
    }
}
