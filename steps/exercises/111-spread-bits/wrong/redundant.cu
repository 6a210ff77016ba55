// Every lane computes the keys of its whole warp, and keeps its own.
__device__ unsigned int cell(float coordinate)
{
    return (unsigned int)(coordinate * 65536.0f);
}

__device__ unsigned int spread(unsigned int x)
{
    x = (x | x << 8) & 0x00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
}

extern "C" __global__ void keys(unsigned int n, const float* x, const float* y, unsigned int* key)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x, first = i / 32 * 32;
    unsigned int own = 0;
    for (unsigned int k = first; k < first + 32 && k < n; ++k) {
        const unsigned int of = spread(cell(x[k])) | spread(cell(y[k])) << 1;
        own = k == i ? of : own;
    }
    if (i < n) {
        key[i] = own;
    }
}
