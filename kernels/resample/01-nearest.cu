// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: an image is turned; each thread takes the texel at its position.
// Why:     indices outside of the image are mapped by hand: clamped, mirrored, repeated, or the border.
// Expect:  a warp reads along a slanted line: many sectors, of which its neighbours read the rest.

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
    out[row * n + column] = texel(image, n, floorf(at.x), floorf(at.y));
}
