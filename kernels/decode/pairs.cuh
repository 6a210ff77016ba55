// SPDX-License-Identifier: MIT OR Apache-2.0
// Numbers of BF16, two in each word.

// Makes floats of eight numbers.
__device__ __forceinline__ void floats_of(uint4 pairs, float (&numbers)[8])
{
    const unsigned word[] = {pairs.x, pairs.y, pairs.z, pairs.w};
#pragma unroll
    for (int i = 0; i < 4; i++) {
        numbers[2 * i] = of_bf16(word[i]);
        numbers[2 * i + 1] = __uint_as_float(word[i] & 0xffff0000);
    }
}
