// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: lanes that are done get new items while the others go on: the loops over items and rounds become one.
// Why:     a warp executes a round as long as one lane has work; it should be work for as many lanes as possible.
// Expect:  lanes are nearly always busy. Asking for items takes instructions: a warp asks when a quarter of its lanes are idle.

// One round of the work of an item.
__device__ unsigned int round_of(unsigned int x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

#define IDLE 8 // lanes without an item, before the warp fetches
#define ROUNDS 8 // between two looks at how many these are

extern "C" __global__ void process(unsigned int n, const unsigned int* rounds, unsigned int* out, unsigned int* next)
{
    const unsigned int lane = threadIdx.x % 32, below = (1u << lane) - 1;
    unsigned int i = n, x = 0, rest = 0; // no item yet
    bool more = true; // items in the queue
    while (true) {
        const unsigned int idle = __ballot_sync(0xffffffff, rest == 0);
        if (more && __popc(idle) >= IDLE) {
            unsigned int first = 0;
            if (lane == 0) {
                first = atomicAdd(next, __popc(idle));
            }
            first = __shfl_sync(0xffffffff, first, 0);
            more = first + __popc(idle) < n;
            const unsigned int other = first + __popc(idle & below);
            if (rest == 0 && other < n) {
                i = other;
                x = i + 1;
                rest = rounds[i];
            }
        } else if (idle == 0xffffffff) {
            return;
        }
        for (unsigned int r = 0; r < ROUNDS && rest > 0; r++) {
            x = round_of(x);
            rest--;
            if (rest == 0) {
                out[i] = x;
            }
        }
    }
}
