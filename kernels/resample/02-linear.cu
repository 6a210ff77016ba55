// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the result is interpolated between the four texels around its position.
// Why:     an image that is enlarged shows no steps.
// Expect:  four times the loads, most of them from the cache, and the indices of four texels.

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

__device__ float texel(const float* image, int n, int x, int y)
{
    x = inside(x, n);
    y = inside(y, n);
    return x < 0 || y < 0 ? 0.0f : image[y * n + x];
}

extern "C" __global__ void resample(int n, const float* image, float* out)
{
    const int column = threadIdx.x + blockIdx.x * blockDim.x;
    const int row = threadIdx.y + blockIdx.y * blockDim.y;
    if (column >= n || row >= n) return;
    const float2 at = turned(n, column, row);
    const float x = at.x - 0.5f, y = at.y - 0.5f; // texels have their centres at halves
    const int i = floorf(x), j = floorf(y);
    const float u = x - i, v = y - j;
    const float above = (1 - u) * texel(image, n, i, j) + u * texel(image, n, i + 1, j);
    const float below = (1 - u) * texel(image, n, i, j + 1) + u * texel(image, n, i + 1, j + 1);
    out[row * n + column] = (1 - v) * above + v * below;
}
