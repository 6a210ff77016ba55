// says: work is badly divided
// A thread does the work of its block.

#include "point.cuh"

#define OUT 28

__device__ float once(int x, int y, int z, int nx, int ny, int nz, const float *from)
{
    const int plane = nx * ny, i = x + nx * y + plane * z;
    if (is_face(x, y, z, nx, ny, nz)) {
        return from[i];
    }
    return next(from[i], from[i - 1] + from[i + 1] + from[i - nx] + from[i + nx] + from[i - plane] + from[i + plane]);
}

extern "C" __global__ void advance(int nx, int ny, int nz, const float *from, float *to)
{
    if (threadIdx.x > 0 || threadIdx.y > 0) {
        return;
    }
    for (int z = blockIdx.z * 64; z < min(nz, (int)blockIdx.z * 64 + 64); z++) {
        for (int y = blockIdx.y * OUT; y < min(ny, (int)(blockIdx.y + 1) * OUT); y++) {
            for (int x = blockIdx.x * OUT; x < min(nx, (int)(blockIdx.x + 1) * OUT); x++) {
                const int i = x + nx * (y + ny * z);
                float value = from[i];
                if (!is_face(x, y, z, nx, ny, nz)) {
                    float sum = once(x - 1, y, z, nx, ny, nz, from) + once(x + 1, y, z, nx, ny, nz, from);
                    sum += once(x, y - 1, z, nx, ny, nz, from) + once(x, y + 1, z, nx, ny, nz, from);
                    sum += once(x, y, z - 1, nx, ny, nz, from) + once(x, y, z + 1, nx, ny, nz, from);
                    value = next(once(x, y, z, nx, ny, nz, from), sum);
                }
                to[i] = value;
            }
        }
    }
}
