// SPDX-License-Identifier: MIT OR Apache-2.0
// What a node does to a body by the second moments of its bodies: the next term of the series whose first one is its mass.

// A node as a list has it: centre and mass; then second moments xx, xy, xz, yy; then yz, zz and their trace.
struct Term {
    float4 centre[2 * WARP], some[2 * WARP], rest[2 * WARP];
};

// Adds mass and second moments S: with d from body to centre and u the inverse of the softened distance, the acceleration is
// d (m u³ + 15/2 u⁷ d·S d - 3/2 u⁵ trace S) - 3 u⁵ S d.
__device__ __forceinline__ void pull_second(float4 p, float4 q, float4 some, float4 rest, float epssq, float3 *a)
{
    const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
    const float inverse = rsqrtf(dx * dx + (dy * dy + (dz * dz + epssq))), square = inverse * inverse;
    const float x = some.x * dx + (some.y * dy + some.z * dz);
    const float y = some.y * dx + (some.w * dy + rest.x * dz);
    const float z = some.z * dx + (rest.x * dy + rest.y * dz);
    const float along = x * dx + (y * dy + z * dz);
    const float cube = square * inverse;
    const float scale = cube * (q.w + square * (7.5f * square * along - 1.5f * rest.z));
    const float other = -3.0f * cube * square;
    a->x += dx * scale + x * other;
    a->y += dy * scale + y * other;
    a->z += dz * scale + z * other;
}

// Adds what 32 nodes from number `first` of the list on do to the bodies of a group.
__device__ __forceinline__ void pull_all_second(float4 p, const Term &term, int first, int size, float epssq, float3 *a)
{
#pragma unroll 8
    for (int s = first + threadIdx.x % WARP / size; s < first + WARP; s += WARP / size) {
        pull_second(p, term.centre[s], term.some[s], term.rest[s], epssq, a);
    }
}
