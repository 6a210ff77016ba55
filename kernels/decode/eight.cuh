// SPDX-License-Identifier: MIT OR Apache-2.0
// Eight neighbours at a time, for each lane.

#define EIGHT 8
#define OF_A_WARP (32 * EIGHT) // elements of a row that a warp takes at a time

// Eight elements of x.
struct Eight {
    float4 first, second;
};

__device__ __forceinline__ Eight eight_of(const float *x)
{
    return {*(const float4 *)x, *(const float4 *)(x + 4)};
}

// The sum of their products with other eight, in the same order.
__device__ __forceinline__ float product(const Eight &x, const float (&w)[EIGHT])
{
    return x.first.x * w[0] + x.first.y * w[1] + x.first.z * w[2] + x.first.w * w[3] +
           x.second.x * w[4] + x.second.y * w[5] + x.second.z * w[6] + x.second.w * w[7];
}
