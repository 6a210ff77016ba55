// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a volume of 256 slices, each turned: the result is interpolated between eight texels.
// Why:     scans of a body are volumes.
// Expect:  eight loads and 21 operations for each result.

// Where a position of the result lies in the image: turned by 28 degrees, enlarged, and moved.
__device__ float2 turned(int n, int column, int row)
{
    const float x = 403 / 512.0f * column - 211 / 512.0f * row + n / 5 + 1 / 1024.0f;
    const float y = 211 / 512.0f * column + 403 / 512.0f * row - n / 10 + 1 / 1024.0f;
    return make_float2(x, y);
}

enum { WRAP, CLAMP, MIRROR, BORDER };

__constant__ int mode; // what stands for a texel outside of the image

// The index of that texel; -1 is the border.
__device__ int inside(int i, int n)
{
    if (0 <= i && i < n) return i;
    if (mode == BORDER) return -1;
    if (mode == CLAMP) return i < 0 ? 0 : n - 1;
    const int period = mode == WRAP ? n : 2 * n;
    i = (i % period + period) % period;
    return i < n ? i : 2 * n - 1 - i;
}

#define SLICES 256

__device__ float texel(const float* volume, int n, int x, int y, int z)
{
    x = inside(x, n);
    y = inside(y, n);
    z = inside(z, SLICES);
    return x < 0 || y < 0 || z < 0 ? 0.0f : volume[(z * n + y) * n + x];
}

__device__ float between(const float* volume, int n, int i, int j, int k, float u, float v)
{
    const float above = (1 - u) * texel(volume, n, i, j, k) + u * texel(volume, n, i + 1, j, k);
    const float below = (1 - u) * texel(volume, n, i, j + 1, k) + u * texel(volume, n, i + 1, j + 1, k);
    return (1 - v) * above + v * below;
}

extern "C" __global__ void resample(int n, const float* volume, float* out)
{
    const int column = threadIdx.x + blockIdx.x * blockDim.x;
    const int row = threadIdx.y + blockIdx.y * blockDim.y;
    const int slice = blockIdx.z;
    if (column >= n || row >= n) return;
    const float2 at = turned(n, column, row);
    const float x = at.x - 0.5f, y = at.y - 0.5f, z = 0.875f * slice + 0.3125f - 0.5f;
    const int i = floorf(x), j = floorf(y), k = floorf(z);
    const float u = x - i, v = y - j, w = z - k;
    const float front = between(volume, n, i, j, k, u, v);
    const float back = between(volume, n, i, j, k + 1, u, v);
    out[(slice * n + row) * n + column] = (1 - w) * front + w * back;
}
