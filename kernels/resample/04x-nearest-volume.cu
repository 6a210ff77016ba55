// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the texel that holds the position, instead of eight around it.
// Why:     labels and indices of a volume must not be mixed.
// Expect:  an eighth of the loads; mapping the indices is what is left.

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

extern "C" __global__ void resample(int n, const float* volume, float* out)
{
    const int column = threadIdx.x + blockIdx.x * blockDim.x;
    const int row = threadIdx.y + blockIdx.y * blockDim.y;
    const int slice = blockIdx.z;
    if (column >= n || row >= n) return;
    const float2 at = turned(n, column, row);
    const float z = 0.875f * slice + 0.3125f;
    out[(slice * n + row) * n + column] = texel(volume, n, floorf(at.x), floorf(at.y), floorf(z));
}
