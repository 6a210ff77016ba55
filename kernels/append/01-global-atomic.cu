// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: a thread that keeps a value takes the next place of the output by an atomic addition.
// Why:     nobody knows how many values others keep: the end of the output is the only thing that all can ask.
// Expect:  one word for all threads: as slow as a sum by atomics. Values come out in any order.

#define LIMIT 0x80000000 // values below are kept

extern "C" __global__ void clear(unsigned int* end)
{
    *end = 0;
}

extern "C" __global__ void append(unsigned int n, const unsigned int* in, unsigned int* out, unsigned int* end)
{
    const unsigned int threads = gridDim.x * blockDim.x;
    for (unsigned int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += threads) {
        if (in[i] < LIMIT) {
            out[atomicAdd(end, 1)] = in[i];
        }
    }
}
