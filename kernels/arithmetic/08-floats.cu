// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: another subject: 255 dependent multiply-adds, in floats, of numbers that are exact in every format.
// Why:     a multiprocessor has 128 lanes for them.
// Expect:  near the limit of the multiply-adds.

#define ROUNDS 255

extern "C" __global__ void compute(int n, float sign, float whole, const float* in, float* out)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        const float a = sign, b = whole;
        float x = in[i];
        for (int round = 0; round < ROUNDS; round++) {
            x = fmaf(x, a, b);
        }
        out[i] = x;
    }
}
