// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the divisor, 10, is known to the compiler.
// Why:     the upper half of a product with a constant, shifted, is the quotient.
// Expect:  several times as fast, with the same results.

#define ROUNDS 16

extern "C" __global__ void compute(int n, const unsigned* in, unsigned* out)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        unsigned x = in[i];
        for (int round = 0; round < ROUNDS; round++) {
            x = x / 10u + x % 10u * 0x9e3779b9;
        }
        out[i] = x;
    }
}
