// SPDX-License-Identifier: MIT OR Apache-2.0
// Weights that share a scale.

#define GROUP 128 // neighbours in a row

// The scale of the weight in column `i` of a row, whose scales are these.
__device__ __forceinline__ float scale_of(const unsigned short *of_row, int i)
{
    return of_bf16(of_row[i / GROUP]);
}
