// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums as products of matrices (step 16): moments, and what their sums mean. The kernel declares `moments`, `mass_unit`, TILE and ALL.

#include "matrix.cuh"

// The matrix of moments of body `i`: mass (x, y, z, 1) and what halves lose of it, eight columns for each tile of 16 bodies.
__device__ __forceinline__ void prepare_moments(int i, float4 p)
{
    const float mass = p.w / mass_unit;
    const float moment[4] = {mass * p.x, mass * p.y, mass * p.z, mass};
    unsigned short *to = moments + i / TILE * (8 * TILE) + slot(i % TILE);
#pragma unroll
    for (int c = 0; c < 4; c++) {
        const unsigned short high = half(moment[c]);
        to[(2 * c) * TILE] = high;
        to[(2 * c + 1) * TILE] = half(moment[c] - number(high));
    }
}

// The sums of a tile of 16 bodies or partners, spread over the warp: lane 4 g + t has component t of bodies g and g + 8; component 3 is
// that of the mass alone. From sum s m q to sum s m (q - p), where `p` is the lane's component of the same body.
__device__ __forceinline__ float relative(float p, float sum, int lane)
{
    return sum - p * __shfl_sync(ALL, sum, lane | 3);
}
