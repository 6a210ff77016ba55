// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a thread computes two elements at once, so that its state has 64 words.
// Why:     the steps of one element depend on each other; those of two elements do not: one warp does the work of two.
// Expect:  half the occupancy, since a thread has twice the registers, and no loss of speed.

#ifndef SEEDS
#define SEEDS 2 // elements of a thread
#endif
#define WORDS 32 // of the state
#define ROUNDS 8

extern "C" __global__ void generate(unsigned int n, const unsigned int* in, unsigned int* out)
{
    const unsigned int first = threadIdx.x + blockIdx.x * blockDim.x * SEEDS;
    unsigned int words[WORDS][SEEDS];
    unsigned int x[SEEDS];
#pragma unroll
    for (int s = 0; s < SEEDS; s++) {
        const unsigned int i = first + s * blockDim.x;
        x[s] = i < n ? in[i] : 0;
#pragma unroll
        for (int k = 0; k < WORDS; k++) {
            words[k][s] = x[s] * (2 * k + 1);
        }
    }
#pragma unroll 1
    for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
        for (int k = 0; k < WORDS; k++) {
#pragma unroll
            for (int s = 0; s < SEEDS; s++) {
                x[s] = (x[s] ^ words[k][s]) * 0x9e3779b1;
                x[s] ^= x[s] >> 15;
                words[k][s] = x[s];
            }
        }
    }
#pragma unroll
    for (int s = 0; s < SEEDS; s++) {
        const unsigned int i = first + s * blockDim.x;
        if (i < n) {
            out[i] = x[s];
        }
    }
}
