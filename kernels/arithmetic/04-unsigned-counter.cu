// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: another subject: a loop over elements with a stride; its counter is unsigned.
// Why:     an unsigned product may wrap around, and the code must do so too: an index is computed anew each time.
// Expect:  see the machine code: a multiplication and a wide addition for each access.

extern "C" __global__ void compute(int n, unsigned stride, const float* in, float* out)
{
    const int first = threadIdx.x + blockIdx.x * blockDim.x;
    const unsigned count = (n - first + (int)stride - 1) / (int)stride; // elements of the thread
    const float* from = in + first;
    float* to = out + first;
    if (first < n) {
#pragma unroll 1
        for (unsigned k = 0; k < count; k++) {
            to[stride * k] = -from[stride * k];
        }
    }
}
