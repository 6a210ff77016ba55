// The bits of x, each with a zero before it: 0b1011 becomes 0b01000101.
__device__ unsigned int spread(unsigned int x)
{
    unsigned int key = 0;
    for (unsigned int bit = 0; bit < 16; ++bit) { // TODO: many bits at once
        key |= (x >> bit & 1) << 2 * bit;
    }
    return key;
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
