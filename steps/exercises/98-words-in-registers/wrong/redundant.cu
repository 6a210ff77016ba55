// Every thread computes the elements of eight lanes, and keeps its own.
// says: a warp does too much
#define WORDS 32
#define ROUNDS 8

extern "C" __global__ void generate(unsigned int n, const unsigned int* in, unsigned int* out)
{
    const unsigned int own = threadIdx.x + blockIdx.x * blockDim.x;
    unsigned int kept = 0;
#pragma unroll 1
    for (unsigned int i = own / 8 * 8; i < own / 8 * 8 + 8 && i < n; i++) {
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
        kept = i == own ? x : kept;
    }
    if (own < n) {
        out[own] = kept;
    }
}
