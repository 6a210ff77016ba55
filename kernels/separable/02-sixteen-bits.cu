// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: sums between the passes are 16-bit integers, in 256ths.
// Why:     they are exact: 8 bits of a pixel, and 8 of the coefficients.
// Expect:  a quarter of the bytes less.

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

__device__ int inside_rows(int row, int rows)
{
    return min(max(row, 0), rows - 1);
}

extern "C" __global__ void horizontal(int width, int rows, const float* in, unsigned short* across)
{
    const int element = threadIdx.x + blockIdx.x * blockDim.x;
    const int row = threadIdx.y + blockIdx.y * blockDim.y;
    if (element >= width || row >= rows) return;
    float sum = 0.0f;
    for (int k = 0; k < TAPS; k++) {
        sum += weight[k] * in[row * width + inside(element + (k - REACH) * CHANNELS, width)];
    }
    across[row * width + element] = sum * 256.0f;
}

extern "C" __global__ void vertical(int width, int rows, const unsigned short* across, float* out)
{
    const int element = threadIdx.x + blockIdx.x * blockDim.x;
    const int row = threadIdx.y + blockIdx.y * blockDim.y;
    if (element >= width || row >= rows) return;
    float sum = 0.0f;
    for (int k = 0; k < TAPS; k++) {
        sum += weight[k] * (across[inside_rows(row + k - REACH, rows) * width + element] / 256.0f);
    }
    out[row * width + element] = sum;
}
