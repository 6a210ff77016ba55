// Every thread goes through both paths for its neighbour as well, and keeps one of four results.
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
    unsigned int own = 0;
#pragma unroll 1
    for (unsigned int k = t / 8 * 8; k < t / 8 * 8 + 8 && k < n; k++) {
        unsigned int even = in[k], odd = even;
        for (int round = 0; round < ROUNDS; round++) {
            even = even_round(even);
            asm volatile("" : "+r"(even));
            odd = odd_round(odd);
        }
        own = k == t ? (t % 2 ? odd : even) : own;
    }
    if (t < n) {
        out[t] = own;
    }
}
