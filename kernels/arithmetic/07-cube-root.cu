// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: cbrtf.
// Why:     a function for this one exponent has less to do, and means exactly 1/3.
// Expect:  several times as fast, and nearer to the root.

#define ROUNDS 8

extern "C" __global__ void compute(int n, const float* in, float* out)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        float x = in[i];
        for (int round = 0; round < ROUNDS; round++) {
            x = 100 * cbrtf(x);
        }
        out[i] = x;
    }
}
