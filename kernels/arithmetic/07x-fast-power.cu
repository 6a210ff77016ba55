// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the special-function unit's logarithm and power of two.
// Why:     three instructions; each is right to about 22 bits, and what is left of the logarithm's error is multiplied.
// Expect:  the fastest, with the largest error.

#define ROUNDS 8

// 2 to the power of x, by the special-function unit.
__device__ float two_to(float x)
{
    float y;
    asm("ex2.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

extern "C" __global__ void compute(int n, const float* in, float* out)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        float x = in[i];
        for (int round = 0; round < ROUNDS; round++) {
            x = 100 * two_to(__log2f(x) * (1.0f / 3));
        }
        out[i] = x;
    }
}
