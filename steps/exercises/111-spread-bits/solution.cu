// The bits of x, each with a zero before it: 0b1011 becomes 0b01000101.
__device__ unsigned int spread(unsigned int x)
{
    x = (x | x << 8) & 0x00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f;
    x = (x | x << 2) & 0x33333333;
    x = (x | x << 1) & 0x55555555;
    return x;
}

// Which of 65 536 cells a coordinate from 0 up to 1 lies in.
__device__ unsigned int cell(float coordinate)
{
    return (unsigned int)(coordinate * 65536.0f);
}

extern "C" __global__ void keys(unsigned int n, const float* x, const float* y, unsigned int* key)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        key[i] = spread(cell(x[i])) | spread(cell(y[i])) << 1;
    }
}
