// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: a flag in constant memory says whether the elements are counted or copied.
// Why:     one kernel for both; all threads read the same flag, and no warp diverges.
// Expect:  the kernel has the registers of its larger path, whichever is taken: few threads at once, even to copy.

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

__constant__ unsigned int counts;

extern "C" __global__ void process(unsigned int n, const unsigned int* in, unsigned int* out)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        out[i] = counts ? above_mean(in + i) : in[i];
    }
}
