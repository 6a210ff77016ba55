// SPDX-License-Identifier: MIT OR Apache-2.0
// Numbers of 16 bits: the upper half of a float.

// The float that a BF16 number is.
__device__ __forceinline__ float of_bf16(unsigned bits)
{
    return __uint_as_float(bits << 16);
}
