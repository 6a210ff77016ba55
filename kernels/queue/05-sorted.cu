// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: items are sorted first, by the power of two of their length, the longest first; then a warp fetches 32 at a time.
// Why:     lanes of a warp then have items of nearly the same length, and what comes last is short.
// Expect:  lanes wait little, without a look at each other. Counting and sorting read all lengths twice more.

#define CLASSES 10 // of lengths from 1 to 512

// One round of the work of an item.
__device__ unsigned int round_of(unsigned int x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

__device__ unsigned int work(unsigned int item, unsigned int rounds)
{
    unsigned int x = item + 1;
    while (rounds-- > 0) {
        x = round_of(x);
    }
    return x;
}

__device__ unsigned int class_of(unsigned int rounds)
{
    return __clz(rounds) - (32 - CLASSES); // 0: the longest
}

// Counts the items of each class.
extern "C" __global__ void count(unsigned int n, const unsigned int* rounds, unsigned int* places)
{
    __shared__ unsigned int own[CLASSES];
    if (threadIdx.x < CLASSES) {
        own[threadIdx.x] = 0;
    }
    __syncthreads(); // the counts are empty
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        atomicAdd(&own[class_of(rounds[i])], 1);
    }
    __syncthreads(); // the block has counted
    if (threadIdx.x < CLASSES) {
        atomicAdd(&places[threadIdx.x], own[threadIdx.x]);
    }
}

// The first place of each class, from its count.
extern "C" __global__ void scan(unsigned int* places)
{
    unsigned int before = 0;
    for (unsigned int c = 0; c < CLASSES; c++) {
        const unsigned int count = places[c];
        places[c] = before;
        before += count;
    }
}

// Puts the items of each class side by side.
extern "C" __global__ void sort(unsigned int n, const unsigned int* rounds, unsigned int* places, unsigned int* sorted)
{
    __shared__ unsigned int own[CLASSES];
    if (threadIdx.x < CLASSES) {
        own[threadIdx.x] = 0;
    }
    __syncthreads(); // the counts are empty
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    const unsigned int c = i < n ? class_of(rounds[i]) : 0;
    const unsigned int rank = i < n ? atomicAdd(&own[c], 1) : 0;
    __syncthreads(); // the block has counted
    if (threadIdx.x < CLASSES) {
        own[threadIdx.x] = atomicAdd(&places[threadIdx.x], own[threadIdx.x]);
    }
    __syncthreads(); // the block has its places
    if (i < n) {
        sorted[own[c] + rank] = i;
    }
}

extern "C" __global__ void process(unsigned int n, const unsigned int* rounds, unsigned int* out, unsigned int* next, const unsigned int* sorted)
{
    const unsigned int lane = threadIdx.x % 32;
    while (true) {
        unsigned int first = 0;
        if (lane == 0) {
            first = atomicAdd(next, 32);
        }
        first = __shfl_sync(0xffffffff, first, 0);
        if (first >= n) {
            return;
        }
        if (first + lane < n) {
            const unsigned int i = sorted[first + lane];
            out[i] = work(i, rounds[i]);
        }
    }
}
