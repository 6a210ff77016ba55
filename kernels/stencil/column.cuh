// SPDX-License-Identifier: MIT OR Apache-2.0
// A thread goes along z.

#include "point.cuh"

#define DEPTH 64 // planes of a block

extern "C" __global__ void advance(int nx, int ny, int nz, const float *from, float *to)
{
    const int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x >= nx || y >= ny) {
        return;
    }
    const int plane = nx * ny, first = blockIdx.z * DEPTH, end = min(first + DEPTH, nz);
    int i = x + nx * y + plane * first;
    float below = first > 0 ? from[i - plane] : 0.0f, here = from[i];
    for (int z = first; z < end; z++, i += plane) {
        const float above = z + 1 < nz ? from[i + plane] : 0.0f;
        if (is_face(x, y, z, nx, ny, nz)) {
            to[i] = here;
        } else {
            to[i] = next(here, from[i - 1] + from[i + 1] + from[i - nx] + from[i + nx] + below + above);
        }
        below = here;
        here = above;
    }
}
