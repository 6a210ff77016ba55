// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the flag is a parameter of a template, with an entry point for each value; the host chooses.
// Why:     the compiler knows the flag in each of them, and leaves out the other path with its registers.
// Expect:  the copying kernel has a few registers, as many threads as there can be, and the speed of a copy.

#define WINDOW 64

// How many of the next WINDOW elements are above their mean.
__device__ unsigned int above_mean(const unsigned int* in)
{
    unsigned int values[WINDOW];
    unsigned int sum = 0;
#pragma unroll
    for (int k = 0; k < WINDOW; k++) {
        values[k] = in[k];
        sum += values[k];
    }
    unsigned int count = 0;
#pragma unroll
    for (int k = 0; k < WINDOW; k++) {
        count += values[k] * WINDOW > sum;
    }
    return count;
}

template <bool COUNTS>
__device__ void process(unsigned int n, const unsigned int* in, unsigned int* out)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        out[i] = COUNTS ? above_mean(in + i) : in[i];
    }
}

extern "C" __global__ void count(unsigned int n, const unsigned int* in, unsigned int* out)
{
    process<true>(n, in, out);
}

extern "C" __global__ void copy(unsigned int n, const unsigned int* in, unsigned int* out)
{
    process<false>(n, in, out);
}
