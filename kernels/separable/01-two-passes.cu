// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: a kernel for the sums along rows, another for the sums along columns.
// Why:     9 + 9 products make the same as 81: the coefficients are products of two factors.
// Expect:  what is between the two passes crosses the memory twice: half of all bytes.

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

extern "C" __global__ void horizontal(int width, int rows, const float* in, float* across)
{
    const int element = threadIdx.x + blockIdx.x * blockDim.x;
    const int row = threadIdx.y + blockIdx.y * blockDim.y;
    if (element >= width || row >= rows) return;
    float sum = 0.0f;
    for (int k = 0; k < TAPS; k++) {
        sum += weight[k] * in[row * width + inside(element + (k - REACH) * CHANNELS, width)];
    }
    across[row * width + element] = sum;
}

extern "C" __global__ void vertical(int width, int rows, const float* across, float* out)
{
    const int element = threadIdx.x + blockIdx.x * blockDim.x;
    const int row = threadIdx.y + blockIdx.y * blockDim.y;
    if (element >= width || row >= rows) return;
    float sum = 0.0f;
    for (int k = 0; k < TAPS; k++) {
        sum += weight[k] * across[inside_rows(row + k - REACH, rows) * width + element];
    }
    out[row * width + element] = sum;
}
