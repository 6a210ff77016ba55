// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: each thread computes where its element is not zero.
// Why:     work that is not needed is not done; but a warp is busy as long as one of its lanes is.
// Expect:  the time of dense data as soon as most warps have one element that is not zero: 1 of 32 is enough for that.

#define ROUNDS 100

// Rounds of a random number generator, which leave a zero as it is.
__device__ unsigned int expensive(unsigned int x)
{
    for (int round = 0; round < ROUNDS; round++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return x;
}

extern "C" __global__ void process(unsigned int n, const unsigned int* in, unsigned int* out)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        unsigned int x = in[i];
        if (x != 0) {
            x = expensive(x);
        }
        out[i] = x;
    }
}
