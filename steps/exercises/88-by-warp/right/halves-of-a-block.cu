// The first half of the warps of 512 elements has the even ones.
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
    const unsigned int warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned int pair = warp < warps / 2 ? warp : warp - warps / 2, is_odd = warp >= warps / 2;
    const unsigned int i = blockIdx.x * blockDim.x + pair * 64 + 2 * lane + is_odd;
    if (i >= n) {
        return;
    }
    unsigned int x = in[i];
    if (is_odd) {
        for (int round = 0; round < ROUNDS; round++) {
            x = odd_round(x);
        }
    } else {
        for (int round = 0; round < ROUNDS; round++) {
            x = even_round(x);
        }
    }
    out[i] = x;
}
