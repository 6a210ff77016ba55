// SPDX-License-Identifier: MIT OR Apache-2.0
// y = a x + y
extern "C" __global__ void saxpy(unsigned int n, float a, const float* x, float* y)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        y[i] = a * x[i] + y[i];
    }
}
