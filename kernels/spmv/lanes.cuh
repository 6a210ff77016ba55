// SPDX-License-Identifier: MIT OR Apache-2.0
// What lanes find together.

// The sum of the values of so many neighbouring lanes, in all of them. All lanes of the warp call it.
template <int LANES, typename T> __device__ __forceinline__ T sum_of(T value)
{
#pragma unroll
    for (int step = LANES / 2; step > 0; step /= 2) {
        value += __shfl_xor_sync(0xffffffff, value, step);
    }
    return value;
}
