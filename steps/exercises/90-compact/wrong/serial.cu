// One thread of each block does what its block has to do.
// says: idle
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
    const unsigned int first = blockIdx.x * blockDim.x;
    if (threadIdx.x == 0) {
        for (unsigned int i = first; i < first + blockDim.x && i < n; i++) {
            out[i] = in[i] == 0 ? 0 : expensive(in[i]);
        }
    }
}
