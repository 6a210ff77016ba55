// says: work is badly divided
// A thread does the work of its block.

#include "point.cuh"

extern "C" __global__ void advance(int nx, int ny, int nz, const float *from, float *to)
{
    if (threadIdx.x > 0 || threadIdx.y > 0) {
        return;
    }
    for (int z = blockIdx.z * 64; z < min(nz, (int)blockIdx.z * 64 + 64); z++) {
        for (int y = blockIdx.y * 8; y < min(ny, (int)blockIdx.y * 8 + 8); y++) {
            for (int x = blockIdx.x * 32; x < min(nx, (int)blockIdx.x * 32 + 32); x++) {
                const int plane = nx * ny, i = x + nx * y + plane * z;
                if (is_face(x, y, z, nx, ny, nz)) {
                    to[i] = from[i];
                } else {
                    const float sum = from[i - 1] + from[i + 1] + from[i - nx] + from[i + nx] + from[i - plane] + from[i + plane];
                    to[i] = next(from[i], sum);
                }
            }
        }
    }
}
