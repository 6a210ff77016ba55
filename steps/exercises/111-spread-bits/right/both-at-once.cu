// x and y are the halves of one word of 64 bits, which is spread as one.
__device__ unsigned int cell(float coordinate)
{
    return (unsigned int)(coordinate * 65536.0f);
}

extern "C" __global__ void keys(unsigned int n, const float* x, const float* y, unsigned int* key)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned long long both = (unsigned long long)cell(y[i]) << 32 | cell(x[i]);
        both = (both | both << 8) & 0x00ff00ff00ff00ffull;
        both = (both | both << 4) & 0x0f0f0f0f0f0f0f0full;
        both = (both | both << 2) & 0x3333333333333333ull;
        both = (both | both << 1) & 0x5555555555555555ull;
        key[i] = (unsigned int)(both | both >> 31);
    }
}
