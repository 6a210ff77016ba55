// says: one of 
#define WORDS 32
#define ROUNDS 8

extern "C" __global__ void generate(unsigned int n, const unsigned int* in, unsigned int* out)
{
    if (blockIdx.x > 0 || threadIdx.x > 0) {
        return;
    }
    for (unsigned int i = 0; i < n; i++) {
        unsigned int words[WORDS];
        unsigned int x = in[i];
#pragma unroll
        for (int k = 0; k < WORDS; k++) {
            words[k] = x * (2 * k + 1);
        }
#pragma unroll 1
        for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
            for (int k = 0; k < WORDS; k++) {
                x = (x ^ words[k]) * 0x9e3779b1;
                x ^= x >> 15;
                words[k] = x;
            }
        }
        out[i] = x;
    }
}
