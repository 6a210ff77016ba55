// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: 32 passes, each of which puts the keys with one bit clear before those with it set.
// Why:     a pass keeps the order of equal bits, so that after the last bit the keys are in order.
// Expect:  96 launches, and every key read twice and written once for each of its bits.

#define DIGITS 2
#define THREADS 256 // of a block
#define WARPS (THREADS / 32)
#define KEYS 1 // of a thread
#define TILE (THREADS * KEYS)

#include "block.cuh"
#include "counts.cuh"

extern "C" __global__ void scatter(unsigned int n, unsigned int shift, const unsigned int* in, unsigned int* out,
    const unsigned int* counts, const unsigned int* totals)
{
    __shared__ unsigned int start[DIGITS];
    const unsigned int thread = threadIdx.x, i = blockIdx.x * TILE + thread;
    const unsigned int own = start_of(counts, totals);
    if (thread < DIGITS) {
        start[thread] = own;
    }
    const unsigned int key = i < n ? in[i] : 0;
    const unsigned int bit = digit_of(key, shift);
    unsigned int all;
    const unsigned int ones = scan_block(bit, all); // and barriers, after which the starts are there
    if (i < n) {
        out[start[bit] + (bit == 1 ? ones : thread - ones)] = key;
    }
}
