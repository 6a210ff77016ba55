// The words are in shared memory, those of a thread in a column of their own.
#define WORDS 32
#define ROUNDS 8

extern "C" __global__ void generate(unsigned int n, const unsigned int* in, unsigned int* out)
{
    __shared__ unsigned int all[WORDS][256];
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x, t = threadIdx.x;
    if (i < n) {
        unsigned int x = in[i];
        for (int k = 0; k < WORDS; k++) {
            all[k][t] = x * (2 * k + 1);
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (int k = 0; k < WORDS; k++) {
                x = (x ^ all[k][t]) * 0x9e3779b1;
                x ^= x >> 15;
                all[k][t] = x;
            }
        }
        out[i] = x;
    }
}
