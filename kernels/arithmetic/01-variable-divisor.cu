// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: 16 divisions and remainders by a number that is an argument of the kernel.
// Why:     a GPU has no instruction that divides integers: the compiler writes about 20 for it.
// Expect:  the slowest of all integer operations.

#define ROUNDS 16

extern "C" __global__ void compute(int n, unsigned divisor, const unsigned* in, unsigned* out)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        unsigned x = in[i];
        for (int round = 0; round < ROUNDS; round++) {
            x = x / divisor + x % divisor * 0x9e3779b9;
        }
        out[i] = x;
    }
}
