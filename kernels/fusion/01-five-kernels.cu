// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: a kernel for each operation, as a library of vector operations has them.
// Why:     each is simple and can be used alone; the vector goes to memory and back between any two.
// Expect:  44 bytes moved for each element, of which 12 are needed: a, b and the result.

extern "C" __global__ void add(unsigned int n, const float* a, const float* b, float* c)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}

extern "C" __global__ void scale(unsigned int n, float factor, float* c)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        c[i] *= factor;
    }
}

extern "C" __global__ void absolute(unsigned int n, float* c)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        c[i] = fabsf(c[i]);
    }
}

extern "C" __global__ void root(unsigned int n, float* c)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        c[i] = sqrtf(c[i]);
    }
}

extern "C" __global__ void cap(unsigned int n, float most, float* c)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        c[i] = fminf(c[i], most);
    }
}
