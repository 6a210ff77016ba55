// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the same in doubles.
// Why:     a data centre GPU has half as many lanes for doubles, others a 32nd or a 64th.
// Expect:  half the speed on an H200.

#define ROUNDS 255

extern "C" __global__ void compute(int n, float sign, float whole, const float* in, float* out)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        const double a = sign, b = whole;
        double x = in[i];
        for (int round = 0; round < ROUNDS; round++) {
            x = fma(x, a, b);
        }
        out[i] = x;
    }
}
