// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: elements and coefficients come through the read-only path, `ld.global.nc`.
// Why:     on a Kepler GPU plain loads bypassed the L1 cache, and these did not.
// Expect:  nothing on a new GPU, where plain loads use the L1 cache too.

#define TAPS 32 // coefficients

extern "C" __global__ void filter(int n, float* x, float* f, float* y)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        float sum = 0.0f;
        for (int k = 0; k < TAPS; k++) {
            sum = fmaf(__ldg(x + i + k), __ldg(f + k), sum);
        }
        y[i] = sum;
    }
}
