// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: thread i does element i, so that even lanes take one path and odd lanes the other.
// Why:     a warp has one program counter at a time: it goes through both paths, each with half of its lanes.
// Expect:  the instructions of both paths for every warp: half of the lanes are idle at any time.

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
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
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
