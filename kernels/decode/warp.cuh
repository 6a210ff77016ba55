// SPDX-License-Identifier: MIT OR Apache-2.0
// What the lanes of a warp find together.

#define WARPS 8 // of a block

// The sum of the values of a warp, in all its lanes.
template <typename T> __device__ __forceinline__ T of_warp(T sum)
{
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, step);
    }
    return sum;
}
