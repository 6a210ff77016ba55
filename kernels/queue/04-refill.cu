// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: lanes that are done get new items while the others go on: the loops over items and rounds become one.
// Why:     a warp executes a round as long as one lane has work; it should be work for as many lanes as possible.
// Expect:  busy lanes. To look for idle ones takes instructions: a warp looks every 8 rounds, and fetches for 8 lanes at least.

// One round of the work of an item.
__device__ unsigned int round_of(unsigned int x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

#define IDLE 8 // lanes without an item, before the warp fetches
#define BATCH 256 // items that a warp fetches at a time
#define ROUNDS 8 // between two looks at how many these are

extern "C" __global__ void process(unsigned int n, const unsigned int* rounds, unsigned int* out, unsigned int* next)
{
    const unsigned int lane = threadIdx.x % 32, below = (1u << lane) - 1;
    unsigned int i = n, x = 0, rest = 0; // no item yet
    unsigned int at = 0, left = 0; // of the batch of the warp
    while (true) {
        const unsigned int idle = __ballot_sync(0xffffffff, rest == 0);
        if (at < n && __popc(idle) >= IDLE) {
            const unsigned int count = __popc(idle), rank = __popc(idle & below);
            unsigned int item = at + rank;
            if (count > left) { // some lanes need items of another batch
                unsigned int batch = 0;
                if (lane == 0) {
                    batch = atomicAdd(next, BATCH);
                }
                batch = __shfl_sync(0xffffffff, batch, 0);
                item = rank < left ? item : batch + rank - left;
                at = batch - left;
                left += BATCH;
            }
            at += count;
            left -= count;
            if (rest == 0 && item < n) {
                i = item;
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
