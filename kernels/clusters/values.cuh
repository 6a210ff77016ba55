// SPDX-License-Identifier: MIT OR Apache-2.0
#define BINS 65536 // one for each value of 16 bits

extern "C" __global__ void clear(unsigned int* bins)
{
    bins[threadIdx.x + blockIdx.x * blockDim.x] = 0;
}

// Calls `count` for both values in a word.
template <typename Count> __device__ __forceinline__ void both(unsigned int two, Count count)
{
    count(two & 0xffff);
    count(two >> 16);
}

// Calls `count` for each value that this one of some threads has: eight neighbours at a time, and the last ones alone.
template <typename Count>
__device__ __forceinline__ void for_each(unsigned int n, const unsigned short* in, unsigned int thread, unsigned int threads,
                                         Count count)
{
    const uint4* const eights = (const uint4*)in;
    for (unsigned int i = thread; i < n / 8; i += threads) {
        const uint4 eight = eights[i];
        both(eight.x, count);
        both(eight.y, count);
        both(eight.z, count);
        both(eight.w, count);
    }
    const unsigned int i = n / 8 * 8 + thread;
    if (i < n) {
        count(in[i]);
    }
}
