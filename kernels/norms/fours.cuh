// SPDX-License-Identifier: MIT OR Apache-2.0
// Moments of up to four numbers at a time.

// Adds the first `count` elements of a piece, in which the others are 0.
__device__ __forceinline__ void add4(Moments &all, float4 piece, int count)
{
    if (count > 0) {
        const float mean = sum4(piece) / count;
        all = merge(all, {(float)count, mean, squares4(apart4(piece, mean, count))});
    }
}
