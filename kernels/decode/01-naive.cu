// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: a thread computes an element of y, the product of a row of W and the vector x.
// Why:     each element is a loop of its own, and there are thousands.
// Expect:  a small part of the bandwidth: the lanes of a warp read from 32 rows at once, 2 of the 32 bytes of each sector.

#include "bf16.cuh"

extern "C" __global__ void decode(int rows, int columns, const unsigned short *w, const float *x, float *y)
{
    const int row = threadIdx.x + blockIdx.x * blockDim.x;
    if (row >= rows) {
        return;
    }
    float sum = 0.0f;
    for (int i = 0; i < columns; i++) {
        sum += of_bf16(w[(size_t)row * columns + i]) * x[i];
    }
    y[row] = sum;
}
