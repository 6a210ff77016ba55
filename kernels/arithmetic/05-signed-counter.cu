// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the counter is signed.
// Why:     a signed product must not overflow: the compiler may add the stride to the address instead.
// Expect:  fewer instructions; the same time, where the memory is the limit.

extern "C" __global__ void compute(int n, int stride, const float* in, float* out)
{
    const int first = threadIdx.x + blockIdx.x * blockDim.x;
    const int count = (n - first + (int)stride - 1) / (int)stride; // elements of the thread
    const float* from = in + first;
    float* to = out + first;
    if (first < n) {
#pragma unroll 1
        for (int k = 0; k < count; k++) {
            to[stride * k] = -from[stride * k];
        }
    }
}
