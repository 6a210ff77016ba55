// SPDX-License-Identifier: MIT OR Apache-2.0
// Kernels that try out what a launch can be given: shapes, arguments, variables and dynamic shared memory.

__constant__ int table[4];
__device__ unsigned long long total;

extern "C" __global__ void places(unsigned int* out)
{
    const unsigned int x = threadIdx.x + blockIdx.x * blockDim.x;
    const unsigned int y = threadIdx.y + blockIdx.y * blockDim.y;
    const unsigned int z = threadIdx.z + blockIdx.z * blockDim.z;
    const unsigned int width = gridDim.x * blockDim.x;
    const unsigned int height = gridDim.y * blockDim.y;
    out[x + width * (y + height * z)] = x + 100 * y + 10000 * z;
}

extern "C" __global__ void scalars(signed char a, short b, int c, long long d, unsigned char e, unsigned short f,
                                   unsigned int g, unsigned long long h, float i, double j, long long* out)
{
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = e;
    out[5] = f;
    out[6] = g;
    out[7] = h;
    out[8] = __float_as_int(i);
    out[9] = __double_as_longlong(j);
}

extern "C" __global__ void reverse(int n, float* data)
{
    extern __shared__ float block[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        block[i] = data[i];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        data[i] = block[n - 1 - i];
    }
}

extern "C" __global__ void add(int n, float more, const float* in, float* out)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        out[i] = in[i] + more;
    }
}

extern "C" __global__ void sum()
{
    atomicAdd(&total, static_cast<unsigned long long>(table[threadIdx.x]));
}
