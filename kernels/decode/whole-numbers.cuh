// SPDX-License-Identifier: MIT OR Apache-2.0
// Whole numbers as factors of tensor cores: pairs of BF16, which hold them exactly.

#define AND_128 0x43004300 // with a number of seven bits below: the pair 128 + n
#define LOWER 0x5410 // for `__byte_perm`: the lower halves of two words
#define UPPER 0x7632 // their upper halves

// The sums of two pairs.
__device__ __forceinline__ unsigned sum_of(unsigned a, unsigned b)
{
    const unsigned one = 0x3f803f80;
    unsigned sum;
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(one), "r"(b));
    return sum;
}

// sum += the sums of a group of columns, times the scales of rows g and g + 8.
__device__ __forceinline__ void add_scaled(float (&sum)[4], const float (&of_group)[4], float scale_g, float scale_g_8)
{
    sum[0] += scale_g * of_group[0];
    sum[1] += scale_g * of_group[1];
    sum[2] += scale_g_8 * of_group[2];
    sum[3] += scale_g_8 * of_group[3];
}
