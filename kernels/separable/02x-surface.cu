// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: sums between the passes are written through a surface and read through a texture.
// Why:     its texels lie in small blocks, near each other in both directions, and it clamps by itself.
// Expect:  the visible result comes with the next launch; little is gained, for sums down a column suit rows too.

#define REACH 4 // pixels on each side
#define TAPS (2 * REACH + 1)
#define CHANNELS 3 // elements of a pixel

__constant__ float weight[TAPS];

// The element that stands for one outside of its row: that of the pixel at the edge.
__device__ int inside(int element, int width)
{
    if (element < 0) return (element + CHANNELS * REACH) % CHANNELS;
    return element < width ? element : width - CHANNELS + element % CHANNELS;
}

extern "C" __global__ void horizontal(int width, int rows, const float* in, cudaSurfaceObject_t across)
{
    const int element = threadIdx.x + blockIdx.x * blockDim.x;
    const int row = threadIdx.y + blockIdx.y * blockDim.y;
    if (element >= width || row >= rows) return;
    float sum = 0.0f;
    for (int k = 0; k < TAPS; k++) {
        sum += weight[k] * in[row * width + inside(element + (k - REACH) * CHANNELS, width)];
    }
    surf2Dwrite<unsigned short>(sum * 256.0f, across, element * sizeof(unsigned short), row);
}

extern "C" __global__ void vertical(int width, int rows, cudaTextureObject_t across, float* out)
{
    const int element = threadIdx.x + blockIdx.x * blockDim.x;
    const int row = threadIdx.y + blockIdx.y * blockDim.y;
    if (element >= width || row >= rows) return;
    float sum = 0.0f;
    for (int k = 0; k < TAPS; k++) {
        sum += weight[k] * (tex2D<unsigned short>(across, element, row + k - REACH) / 256.0f);
    }
    out[row * width + element] = sum;
}
