// Four words are one vector.
#define ROUNDS 8

static __device__ unsigned int mixed(unsigned int x, unsigned int& word)
{
    x = (x ^ word) * 0x9e3779b1;
    x ^= x >> 15;
    word = x;
    return x;
}

extern "C" __global__ void generate(unsigned int n, const unsigned int* in, unsigned int* out)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        unsigned int x = in[i];
        uint4 words[8];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            words[k] = make_uint4(x * (8 * k + 1), x * (8 * k + 3), x * (8 * k + 5), x * (8 * k + 7));
        }
#pragma unroll
        for (int step = 0; step < 8 * ROUNDS; step++) {
            uint4& four = words[step % 8];
            x = mixed(x, four.x);
            x = mixed(x, four.y);
            x = mixed(x, four.z);
            x = mixed(x, four.w);
        }
        out[i] = x;
    }
}
