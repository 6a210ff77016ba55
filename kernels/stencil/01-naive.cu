// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: a thread has a point, and neighbouring lanes have neighbours along z.
// Why:     loops over x, y and z are written in this order, and the last one is the innermost.
// Expect:  a warp reads from 32 planes, 4 bytes of each sector.

#include "point.cuh"

extern "C" __global__ void advance(int nx, int ny, int nz, const float *from, float *to)
{
    const int x = blockIdx.z, y = threadIdx.y + blockIdx.y * blockDim.y, z = threadIdx.x + blockIdx.x * blockDim.x;
    if (y >= ny || z >= nz) {
        return;
    }
    const int plane = nx * ny, i = x + nx * y + plane * z;
    const float here = from[i];
    if (is_face(x, y, z, nx, ny, nz)) {
        to[i] = here;
    } else {
        to[i] = next(here, from[i - 1] + from[i + 1] + from[i - nx] + from[i + nx] + from[i - plane] + from[i + plane]);
    }
}
