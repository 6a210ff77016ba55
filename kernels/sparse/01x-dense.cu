// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: no test: zeros are computed like all others.
// Why:     the document takes this path where more than half of the elements are not zero.
// Expect:  the same time for any data; no gain at any density, as a test that no lane fails costs next to nothing.

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
        out[i] = expensive(in[i]);
    }
}
