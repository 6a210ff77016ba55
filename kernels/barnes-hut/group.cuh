// SPDX-License-Identifier: MIT OR Apache-2.0
// A box around the bodies of a warp.

// A box around bodies, and the weakest of the accelerations that they had.
struct Around {
    float3 low, high;
    float pull;
};

// That of 2 * step lanes, from those of step lanes.
__device__ __forceinline__ Around twice(Around own, int step)
{
    own.low.x = fminf(own.low.x, __shfl_xor_sync(ALL, own.low.x, step));
    own.low.y = fminf(own.low.y, __shfl_xor_sync(ALL, own.low.y, step));
    own.low.z = fminf(own.low.z, __shfl_xor_sync(ALL, own.low.z, step));
    own.high.x = fmaxf(own.high.x, __shfl_xor_sync(ALL, own.high.x, step));
    own.high.y = fmaxf(own.high.y, __shfl_xor_sync(ALL, own.high.y, step));
    own.high.z = fmaxf(own.high.z, __shfl_xor_sync(ALL, own.high.z, step));
    own.pull = fminf(own.pull, __shfl_xor_sync(ALL, own.pull, step));
    return own;
}

// The box around a warp's bodies by its middle, and the weakest of their accelerations.
struct Target {
    float3 middle, half;
    float pull;
};

__device__ __forceinline__ Target target_of(float4 p, float pull)
{
    Around all = {make_float3(p.x, p.y, p.z), make_float3(p.x, p.y, p.z), pull};
#pragma unroll
    for (int step = 1; step < WARP; step *= 2) {
        all = twice(all, step);
    }
    const float3 low = all.low, high = all.high;
    const Target target = {make_float3((low.x + high.x) * 0.5f, (low.y + high.y) * 0.5f, (low.z + high.z) * 0.5f),
        make_float3((high.x - low.x) * 0.5f, (high.y - low.y) * 0.5f, (high.z - low.z) * 0.5f), all.pull};
    return target;
}

// The square of the distance from a place to the box; zero inside.
__device__ __forceinline__ float distance_squared(const Target &target, float4 q)
{
    const float dx = fmaxf(fabsf(q.x - target.middle.x) - target.half.x, 0.0f);
    const float dy = fmaxf(fabsf(q.y - target.middle.y) - target.half.y, 0.0f);
    const float dz = fmaxf(fabsf(q.z - target.middle.z) - target.half.z, 0.0f);
    return dx * dx + dy * dy + dz * dz;
}
