// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the divisor is 16.
// Why:     the quotient is a shift, the remainder a mask.
// Expect:  faster still: two instructions, and the multiply-add that mixes them.

#define ROUNDS 16

extern "C" __global__ void compute(int n, const unsigned* in, unsigned* out)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        unsigned x = in[i];
        for (int round = 0; round < ROUNDS; round++) {
            x = x / 16u + x % 16u * 0x9e3779b9;
        }
        out[i] = x;
    }
}
