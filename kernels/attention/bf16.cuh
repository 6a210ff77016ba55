// SPDX-License-Identifier: MIT OR Apache-2.0
// Numbers of 16 bits, BF16: the upper half of a float. Two neighbours lie in a word.

#define NOTHING __int_as_float(0xff800000) // minus infinity: the score of a key that a query does not see

__device__ __forceinline__ float lower(unsigned pair)
{
    return __uint_as_float(pair << 16);
}

__device__ __forceinline__ float upper(unsigned pair)
{
    return __uint_as_float(pair & 0xffff0000);
}

// Two floats, rounded to nearest.
__device__ __forceinline__ unsigned pair_of(float lower, float upper)
{
    unsigned pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(upper), "f"(lower));
    return pair;
}
