// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: one lane fetches 32 items for its warp.
// Why:     an atomic addition for 32 items, and their lengths and results lie side by side in memory.
// Expect:  as before: neither atomics nor memory were the limit, lanes that wait are.

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
        const unsigned int i = first + lane;
        if (i < n) {
            out[i] = work(i, rounds[i]);
        }
    }
}
