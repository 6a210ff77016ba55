// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: one kernel collects where elements of all blocks are not zero, another one computes those.
// Why:     a block that finds few no longer holds a whole warp for them: all warps but the last are full.
// Expect:  the least work in the loop, for a list in memory and a launch more: a gain where few elements are not zero.

#define ROUNDS 100

// Rounds of a random number generator, which leave a zero as it is.
__device__ unsigned int expensive(unsigned int x)
{
    for (int round = 0; round < ROUNDS; round++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return x;
}

#define THREADS 256 // of a block

extern "C" __global__ void collect(
    unsigned int n, const unsigned int* in, unsigned int* out, unsigned int* found, unsigned int* total)
{
    __shared__ unsigned int first, count;
    if (threadIdx.x == 0) {
        count = 0;
    }
    __syncthreads(); // the count is zero
    const unsigned int i = threadIdx.x + blockIdx.x * THREADS;
    const bool is_found = i < n && in[i] != 0;
    unsigned int place = 0;
    if (is_found) {
        place = atomicAdd(&count, 1);
    } else if (i < n) {
        out[i] = 0;
    }
    __syncthreads(); // all are counted
    if (threadIdx.x == 0) {
        first = atomicAdd(total, count);
    }
    __syncthreads(); // the block has its part of the list
    if (is_found) {
        found[first + place] = i;
    }
}

extern "C" __global__ void process(
    const unsigned int* total, const unsigned int* found, const unsigned int* in, unsigned int* out)
{
    const unsigned int count = *total;
    for (unsigned int k = threadIdx.x + blockIdx.x * THREADS; k < count; k += gridDim.x * THREADS) {
        out[found[k]] = expensive(in[found[k]]);
    }
}
