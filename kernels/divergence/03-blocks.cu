// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: even blocks take the even elements of two blocks, odd blocks the odd ones.
// Why:     the document decides by block; a warp is all that executes together, so that it should not matter.
// Expect:  the speed of the step before.

#define ROUNDS 64
#ifndef LENGTH
#define LENGTH 64 // rounds after which the path is chosen anew
#endif

__device__ unsigned int even_round(unsigned int x, unsigned int factor)
{
    return x * factor + 7;
}

__device__ unsigned int odd_round(unsigned int x)
{
    return (x ^ (x >> 5)) * 9;
}

extern "C" __global__ void process(unsigned int n, const unsigned int* in, unsigned int* out)
{
    const unsigned int pair = blockIdx.x / 2 * 2 * blockDim.x;
    const unsigned int i = pair + threadIdx.x * 2 + blockIdx.x % 2;
    if (i >= n) {
        return;
    }
    unsigned int x = in[i];
    unsigned int odd = i % 2;
    unsigned int factor = 1664525;
    asm volatile("" : "+r"(factor)); // the compiler may not make one product of all rounds
#pragma unroll 1
    for (int round = 0; round < ROUNDS; round += LENGTH) {
        asm volatile("" : "+r"(odd)); // the compiler may not choose once for all
        if (odd) {
#pragma unroll
            for (int k = 0; k < LENGTH; k++) {
                x = odd_round(x);
            }
        } else {
#pragma unroll
            for (int k = 0; k < LENGTH; k++) {
                x = even_round(x, factor);
            }
        }
    }
    out[i] = x;
}
