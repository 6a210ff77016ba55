#define WORDS 32
#define ROUNDS 8

extern "C" __global__ void generate(unsigned int n, const unsigned int* in, unsigned int* out)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) {
        return;
    }
    unsigned int words[WORDS], x = in[i];
#pragma unroll
    for (int k = 0; k < WORDS; k++) {
        words[k] = x * (2 * k + 1);
    }
#pragma unroll
    for (int step = 0; step < WORDS * ROUNDS; step++) {
        x = (x ^ words[step % WORDS]) * 0x9e3779b1;
        x ^= x >> 15;
        words[step % WORDS] = x;
    }
    out[i] = x;
}
