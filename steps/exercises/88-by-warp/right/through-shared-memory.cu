// Loads and stores of neighbours; who computes what is decided between them.
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
    __shared__ unsigned int tile[1024];
    const unsigned int t = threadIdx.x, i = t + blockIdx.x * blockDim.x;
    const unsigned int mine = t / 64 * 64 + t % 32 * 2 + t / 32 % 2;
    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    unsigned int x = tile[mine];
    if (mine % 2 == 1) {
        for (int round = 0; round < ROUNDS; round++) {
            x = odd_round(x);
        }
    } else {
        for (int round = 0; round < ROUNDS; round++) {
            x = even_round(x);
        }
    }
    tile[mine] = x;
    __syncthreads();
    if (i < n) {
        out[i] = tile[t];
    }
}
