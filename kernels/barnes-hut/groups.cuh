// SPDX-License-Identifier: MIT OR Apache-2.0
// The kernel `divide`: bodies that are close to each other walk the tree together: 32 that are neighbours on the curve, or 16, 8, 4, 2 or
// 1 where their box is too large. The cluster's few outer bodies would otherwise share boxes with its core in them, and open every cell of it.

#ifndef LARGEST
#define LARGEST WARP // bodies of a group at most
#define LARGEST_PARAMETER
#endif
#define WIDE 0.1f // square of a box's diagonal, in squares of the distance from the cluster: no wider

// The bodies of a warp: `size` of them, a power of two.
struct Group {
    int first, size;
};

// Far out, the acceleration is mass / distance^2: there, a box is narrow if it is small against the distance.
__device__ __forceinline__ bool narrow(const Around &it, float mass)
{
    const float x = it.high.x - it.low.x, y = it.high.y - it.low.y, z = it.high.z - it.low.z;
    return (x * x + y * y + z * z) * it.pull <= WIDE * mass;
}

extern "C" __global__ void __launch_bounds__(256) divide(
    int n, float epssq, const float4 *body, const float *strength, const Node *node, unsigned int *counter, Group *groups LARGEST_PARAMETER)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x, lane = threadIdx.x % WARP;
    const float4 p = body[min(i, n - 1)];
    const float mass = node[0].mass, x = p.x - node[0].x, y = p.y - node[0].y, z = p.z - node[0].z;
    const float known = strength[min(i, n - 1)];
    const float pull = known > 0.0f ? known : mass / (x * x + (y * y + (z * z + epssq))); // at first, as of one mass
    Around own = {make_float3(p.x, p.y, p.z), make_float3(p.x, p.y, p.z), pull};
    int size = 1;
    bool together = true;
#pragma unroll
    for (int step = 1; step < WARP; step *= 2) {
        own = twice(own, step);
        const bool other = __shfl_xor_sync(ALL, together, step);
        together = together && other && 2 * step <= LARGEST && narrow(own, mass);
        size = together ? 2 * step : size;
    }
    const unsigned int first = __ballot_sync(ALL, i < n && lane % size == 0);
    unsigned int place = 0;
    if (lane == 0) {
        place = atomicAdd(&counter[GROUPS], __popc(first)); // the order of groups differs from run to run, but nothing depends on it
    }
    place = __shfl_sync(ALL, place, 0);
    if (first >> lane & 1) {
        const Group group = {i, size};
        groups[place + __popc(first & ((1u << lane) - 1))] = group;
    }
}
