// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: launch bounds ask for 2048 threads on each multiprocessor, all that it can hold.
// Why:     65536 registers for 2048 threads are 32 for each: full occupancy, but the state alone has 32 words.
// Expect:  words are spilled to local memory again; a loss, as there were enough warps before.

#define THREADS 256 // of a block
#define WORDS 32 // of the state
#define ROUNDS 8

extern "C" __global__ void __launch_bounds__(THREADS, 2048 / THREADS) generate(
    unsigned int n, const unsigned int* in, unsigned int* out)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        unsigned int words[WORDS];
        unsigned int x = in[i];
#pragma unroll
        for (int k = 0; k < WORDS; k++) {
            words[k] = x * (2 * k + 1);
        }
#pragma unroll 1
        for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
            for (int k = 0; k < WORDS; k++) {
                x = (x ^ words[k]) * 0x9e3779b1;
                x ^= x >> 15;
                words[k] = x;
            }
        }
        out[i] = x;
    }
}
