// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: four textures, one for each component of a colour.
// Why:     this is how images lie that were computed one component at a time.
// Expect:  four times the requests of one component.

// Where a position of the result lies in the image: turned by 28 degrees, enlarged, and moved.
__device__ float2 turned(int n, int column, int row)
{
    const float x = 403 / 512.0f * column - 211 / 512.0f * row + n / 5 + 1 / 1024.0f;
    const float y = 211 / 512.0f * column + 403 / 512.0f * row - n / 10 + 1 / 1024.0f;
    return make_float2(x, y);
}

extern "C" __global__ void resample(int n, cudaTextureObject_t red, cudaTextureObject_t green,
    cudaTextureObject_t blue, cudaTextureObject_t alpha, float4* out)
{
    const int column = threadIdx.x + blockIdx.x * blockDim.x;
    const int row = threadIdx.y + blockIdx.y * blockDim.y;
    if (column >= n || row >= n) return;
    const float2 at = turned(n, column, row);
    const float x = at.x / n, y = at.y / n;
    out[row * n + column] = make_float4(
        tex2D<float>(red, x, y), tex2D<float>(green, x, y), tex2D<float>(blue, x, y), tex2D<float>(alpha, x, y));
}
