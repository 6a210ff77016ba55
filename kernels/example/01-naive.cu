// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: a thread for each element.
// Why:     neighbouring threads read and write neighbouring elements.
// Expect:  a rate near the bandwidth of the memory.

extern "C" __global__ void saxpy(unsigned int n, float a, const float* x, const float* y, float* out)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        out[i] = a * x[i] + y[i];
    }
}
