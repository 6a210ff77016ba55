// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: a thread for each result, which is the sum of 32 neighbours, each times its coefficient.
// Why:     all threads want the same coefficient at the same time, and neighbours share 31 of their 32 elements.
// Expect:  the L1 cache has nearly all of it: its bandwidth is the limit, 64 loads for each result.

#define TAPS 32 // coefficients

extern "C" __global__ void filter(int n, float* x, float* f, float* y)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        float sum = 0.0f;
        for (int k = 0; k < TAPS; k++) {
            sum = fmaf(x[i + k], f[k], sum);
        }
        y[i] = sum;
    }
}
