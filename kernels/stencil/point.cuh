// SPDX-License-Identifier: MIT OR Apache-2.0
// What becomes of a point in a step.

// A point after a step, from itself and the sum of its six neighbours.
__device__ __forceinline__ float next(float here, float neighbours)
{
    return 0.25f * here + 0.125f * neighbours;
}

// Whether a point is on a face of the box, and keeps its value.
__device__ __forceinline__ bool is_face(int x, int y, int z, int nx, int ny, int nz)
{
    return x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1;
}
