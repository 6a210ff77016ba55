// says: one of 
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
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (unsigned int i = 0; i < n; ++i) {
            key[i] = spread(cell(x[i])) | spread(cell(y[i])) << 1;
        }
    }
}
