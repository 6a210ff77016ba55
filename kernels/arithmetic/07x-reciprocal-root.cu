// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the reciprocal of the root, rcbrtf, squared and multiplied by the number: x * x^(-2/3).
// Why:     an exponent of thirds can be had from either function; divisions by a root become multiplications.
// Expect:  the speed of cbrtf where the root itself is wanted, and an error or two more in the last bit.

#define ROUNDS 8

extern "C" __global__ void compute(int n, const float* in, float* out)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        float x = in[i];
        for (int round = 0; round < ROUNDS; round++) {
            const float r = rcbrtf(x);
            x = 100 * (x * r * r);
        }
        out[i] = x;
    }
}
