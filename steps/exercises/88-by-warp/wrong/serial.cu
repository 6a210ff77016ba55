// says: one of 
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
    if (blockIdx.x > 0 || threadIdx.x > 0) {
        return;
    }
    for (unsigned int i = 0; i < n; i++) {
        unsigned int x = in[i];
        for (int round = 0; round < ROUNDS; round++) {
            x = i % 2 ? odd_round(x) : even_round(x);
        }
        out[i] = x;
    }
}
