// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: no object, no calls: the state is an array of the kernel, and its loops stay loops.
// Why:     registers have no addresses: an array whose index is known only at run time cannot be in them.
// Expect:  no calls any more, but still local memory: a load and a store for each word in each round.

#define WORDS 32 // of the state
#define ROUNDS 8

extern "C" __global__ void generate(unsigned int n, const unsigned int* in, unsigned int* out)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        unsigned int words[WORDS];
        unsigned int x = in[i];
#pragma unroll 1
        for (int k = 0; k < WORDS; k++) {
            words[k] = x * (2 * k + 1);
        }
#pragma unroll 1
        for (int round = 0; round < ROUNDS; round++) {
#pragma unroll 1
            for (int k = 0; k < WORDS; k++) {
                x = (x ^ words[k]) * 0x9e3779b1;
                x ^= x >> 15;
                words[k] = x;
            }
        }
        out[i] = x;
    }
}
