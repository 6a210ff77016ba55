// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: another subject: each thread sums 256 numbers, one after the other.
// Why:     the sum grows, and each addition is rounded to its last bit.
// Expect:  an error that grows with the number of terms.

#define TERMS 256

extern "C" __global__ void compute(int sums, const float* in, float* out)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < sums) {
        float sum = 0.0f;
        for (int k = 0; k < TERMS; k++) {
            sum += in[k * sums + i];
        }
        out[i] = sum;
    }
}
