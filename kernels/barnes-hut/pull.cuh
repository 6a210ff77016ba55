// SPDX-License-Identifier: MIT OR Apache-2.0
// What a mass does to a body.

// Adds the acceleration of a body at `p` by a mass `q.w` at `q`.
__device__ __forceinline__ void pull(float4 p, float4 q, float epssq, float3 *a)
{
    const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
    const float inverse = rsqrtf(dx * dx + (dy * dy + (dz * dz + epssq))); // of the softened distance
    const float scale = q.w * inverse * (inverse * inverse);
    a->x += dx * scale;
    a->y += dy * scale;
    a->z += dz * scale;
}
