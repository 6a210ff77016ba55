// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the object is back, but its methods are inlined and their loops unrolled.
// Why:     in 2010 compilers kept large objects in local memory whatever was done; today they split them into words.
// Expect:  the same registers and the same speed as without an object.

#define WORDS 32 // of the state
#define ROUNDS 8

class State {
public:
    __device__ void start(unsigned int seed)
    {
#pragma unroll
        for (int k = 0; k < WORDS; k++) {
            words[k] = seed * (2 * k + 1);
        }
    }

    __device__ unsigned int mix(unsigned int x)
    {
#pragma unroll
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
#pragma unroll 1
        for (int round = 0; round < ROUNDS; round++) {
            x = state.mix(x);
        }
        out[i] = x;
    }
}
