// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: another subject: cube roots, by powf with the exponent 1/3, eight times.
// Why:     1/3 is no floating-point number, and powf must be right for every base and exponent.
// Expect:  about a hundred instructions for each root.

#define ROUNDS 8

extern "C" __global__ void compute(int n, const float* in, float* out)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        float x = in[i];
        for (int round = 0; round < ROUNDS; round++) {
            x = 100 * powf(x, 1.0f / 3);
        }
        out[i] = x;
    }
}
