// The odd elements have the first of two warps.
#define ROUNDS 64

__device__ unsigned int even_round(unsigned int x)
{
    return x * 1664525 + 7;
}

__device__ unsigned int odd_round(unsigned int x)
{
    return (x ^ (x >> 5)) * 9;
}

extern "C" __global__ void process(unsigned int n, const unsigned int* in, unsigned int* out)
{
    const unsigned int t = threadIdx.x + blockIdx.x * blockDim.x;
    const unsigned int i = (t & ~63u) | (t & 31) << 1 | (~t >> 5 & 1);
    if (i < n) {
        unsigned int x = in[i];
        for (int round = 0; round < ROUNDS; round++) {
            if (i & 1) {
                x = odd_round(x);
            } else {
                x = even_round(x);
            }
        }
        out[i] = x;
    }
}
