// SPDX-License-Identifier: MIT OR Apache-2.0
// Weights from -8 to 7 in four bits each, which hold them plus 8.

#define ONE 0x3f000000 // the upper byte of a float from 1 to 2; the next byte is 128, plus 128 times what is beyond 1
#define UNITS 128.0f // of this byte, for 1
#define ZERO 8.0f // what is stored for a weight of 0

// Makes floats 1 + n/128 of the numbers n in the lower halves of four bytes: each second one, from `first` on.
__device__ __forceinline__ void floats_of(unsigned halves, float (&w)[EIGHT], int first)
{
    const unsigned bytes = (halves & 0x0f0f0f0f) | 0x80808080;
    w[first] = __uint_as_float(__byte_perm(bytes, ONE, 0x7044));
    w[first + 2] = __uint_as_float(__byte_perm(bytes, ONE, 0x7144));
    w[first + 4] = __uint_as_float(__byte_perm(bytes, ONE, 0x7244));
    w[first + 6] = __uint_as_float(__byte_perm(bytes, ONE, 0x7344));
}

__device__ __forceinline__ float sum_of(const Eight &x)
{
    return x.first.x + x.first.y + x.first.z + x.first.w + (x.second.x + x.second.y + x.second.z + x.second.w);
}

// The sum of the products of x, whose sum is known, with eight weights: x (n - 8) = 128 x (1 + n/128) - 136 x.
__device__ __forceinline__ float product(const Eight &x, float sum, unsigned word)
{
    float w[EIGHT];
    floats_of(word, w, 0);
    floats_of(word >> 4, w, 1);
    return UNITS * product(x, w) - (UNITS + ZERO) * sum;
}
