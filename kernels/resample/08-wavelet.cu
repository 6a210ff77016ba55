// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: another problem: a stage of a wavelet transform along columns. Two results are sums of 16 rows, weighed.
// Why:     a pixel has four components, and a thread loads and stores one after the other.
// Expect:  neighbours load floats that lie 16 bytes apart: four requests for what one could bring.

#define TAPS 16
#define BEFORE 7 // rows

__constant__ float taps[2][TAPS]; // of the low band, and of the high one

extern "C" __global__ void resample(int n, const float* pixels, float* bands)
{
    const int rows = n + n % 2;
    const int column = threadIdx.x + blockIdx.x * blockDim.x;
    const int row = threadIdx.y + blockIdx.y * blockDim.y;
    if (column >= n || row >= rows / 2) return;
    float low[4] = {0, 0, 0, 0};
    float high[4] = {0, 0, 0, 0};
    for (int k = 0; k < TAPS; k++) {
        const int at = (2 * row + k + TAPS * rows - BEFORE) % rows * n + column;
        for (int c = 0; c < 4; c++) {
            const float x = pixels[4 * at + c];
            low[c] += taps[0][k] * x;
            high[c] += taps[1][k] * x;
        }
    }
    for (int c = 0; c < 4; c++) {
        bands[4 * (row * n + column) + c] = low[c];
        bands[4 * ((row + rows / 2) * n + column) + c] = high[c];
    }
}
