// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the texture unit interpolates in three dimensions.
// Why:     it is one request for eight texels, each with its own index outside.
// Expect:  a larger gain than in two dimensions.

// Where a position of the result lies in the image: turned by 28 degrees, enlarged, and moved.
__device__ float2 turned(int n, int column, int row)
{
    const float x = 403 / 512.0f * column - 211 / 512.0f * row + n / 5 + 1 / 1024.0f;
    const float y = 211 / 512.0f * column + 403 / 512.0f * row - n / 10 + 1 / 1024.0f;
    return make_float2(x, y);
}

#define SLICES 256

extern "C" __global__ void resample(int n, cudaTextureObject_t volume, float* out)
{
    const int column = threadIdx.x + blockIdx.x * blockDim.x;
    const int row = threadIdx.y + blockIdx.y * blockDim.y;
    const int slice = blockIdx.z;
    if (column >= n || row >= n) return;
    const float2 at = turned(n, column, row);
    const float z = (0.875f * slice + 0.3125f) / SLICES;
    out[(slice * n + row) * n + column] = tex3D<float>(volume, at.x / n, at.y / n, z);
}
