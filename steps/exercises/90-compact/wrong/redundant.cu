// Zeros are computed as well.
// says: instructions issued by warps
__device__ unsigned int expensive(unsigned int x)
{
    for (int round = 0; round < 100; round++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return x;
}

extern "C" __global__ void process(unsigned int n, const unsigned int* in, unsigned int* out)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        out[i] = expensive(in[i]);
    }
}
