// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a thread that is done fetches the next item from a counter that all threads share.
// Why:     no thread has items waiting while others have none.
// Expect:  warps finish at the same time. Lanes still wait for the longest of 32 items, and every item costs an atomic addition.

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

extern "C" __global__ void process(unsigned int n, const unsigned int* rounds, unsigned int* out, unsigned int* next)
{
    unsigned int i;
    while ((i = atomicAdd(next, 1)) < n) {
        out[i] = work(i, rounds[i]);
    }
}
