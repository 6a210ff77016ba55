// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: lanes with the same key form a group each: `match_any` finds them, wherever they are.
// Why:     a warp in which two runs meet has two groups, and needs two atomic additions instead of 32.
// Expect:  fewer atomic additions yet. The instruction takes as many turns as there are keys in the warp.

#define NONE 0xffffffff // the key of an element that is left out

// The sum of the values of a group, for its first lane; `lanes` call it, each with its own group among them.
__device__ unsigned int sum(unsigned int lanes, unsigned int group, unsigned int value)
{
    const unsigned int lane = threadIdx.x % 32;
    unsigned int rank = __popc(group & ((1u << lane) - 1)); // of the lane in its group
    unsigned int after = group & (0xfffffffe << lane); // those whose values have not been added to one before
    while (__any_sync(lanes, after != 0)) {
        const unsigned int next = after == 0 ? lane : __ffs(after) - 1;
        const unsigned int other = __shfl_sync(lanes, value, next);
        value += after == 0 ? 0 : other;
        after &= __ballot_sync(lanes, rank % 2 == 0); // every other one has been added
        rank /= 2;
    }
    return value;
}

extern "C" __global__ void add(unsigned int n, const unsigned int* keys, const unsigned int* values, unsigned int* sums)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    const unsigned int key = i < n ? keys[i] : NONE;
    unsigned int value = i < n ? values[i] : 0;
    const unsigned int lanes = __ballot_sync(0xffffffff, key != NONE); // the lanes that go on
    if (key == NONE) {
        return;
    }
    const unsigned int group = __match_any_sync(lanes, key);
    value = sum(lanes, group, value);
    if ((group & ((1u << threadIdx.x % 32) - 1)) == 0) { // the first of them
        atomicAdd(&sums[key], value);
    }
}
