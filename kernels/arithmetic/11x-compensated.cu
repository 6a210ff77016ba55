// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: one sum, and what was lost of it in rounding (Kahan).
// Why:     four additions for one; the memory has time for them.
// Expect:  the error of a single rounding.

#define TERMS 256

extern "C" __global__ void compute(int sums, const float* in, float* out)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < sums) {
        float sum = 0.0f, lost = 0.0f;
        for (int k = 0; k < TERMS; k++) {
            const float term = in[k * sums + i] - lost;
            const float next = sum + term;
            lost = next - sum - term;
            sum = next;
        }
        out[i] = sum;
    }
}
