// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: the state of a thread is an object of 32 words, with methods that are called.
// Why:     a method that is called takes the address of its object, so that the object must have one: local memory.
// Expect:  every word of the state is loaded and stored in each round, by way of the L1 cache.

#define WORDS 32 // of the state
#define ROUNDS 8

class State {
public:
    __device__ __noinline__ void start(unsigned int seed)
    {
        for (int k = 0; k < WORDS; k++) {
            words[k] = seed * (2 * k + 1);
        }
    }

    __device__ __noinline__ unsigned int mix(unsigned int x)
    {
        for (int k = 0; k < WORDS; k++) {
            x = (x ^ words[k]) * 0x9e3779b1;
            x ^= x >> 15;
            words[k] = x;
        }
        return x;
    }

private:
    unsigned int words[WORDS];
};

extern "C" __global__ void generate(unsigned int n, const unsigned int* in, unsigned int* out)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        State state;
        state.start(in[i]);
        unsigned int x = in[i];
        for (int round = 0; round < ROUNDS; round++) {
            x = state.mix(x);
        }
        out[i] = x;
    }
}
