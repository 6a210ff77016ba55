// The loop over the words is a template that calls the next one.
#define WORDS 32
#define ROUNDS 8

template <int K> struct Words {
    unsigned int word;
    Words<K + 1> rest;
    __device__ void start(unsigned int seed)
    {
        word = seed * (2 * K + 1);
        rest.start(seed);
    }
    __device__ unsigned int mix(unsigned int x)
    {
        x = (x ^ word) * 0x9e3779b1;
        word = x ^ x >> 15;
        return rest.mix(word);
    }
};

template <> struct Words<WORDS> {
    __device__ void start(unsigned int) {}
    __device__ unsigned int mix(unsigned int x) { return x; }
};

extern "C" __global__ void generate(unsigned int n, const unsigned int* in, unsigned int* out)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        Words<0> words;
        unsigned int x = in[i];
        words.start(x);
        for (int round = 0; round < ROUNDS; round++) {
            x = words.mix(x);
        }
        out[i] = x;
    }
}
