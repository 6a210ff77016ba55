// SPDX-License-Identifier: MIT OR Apache-2.0
// Matrices with zeros around them, so that all tiles are full: zeros add nothing to sums of products.

#define PAD_ROWS 8 // of a thread: so many loads are on their way at once

// Copies rows × columns elements to the upper left of a larger matrix. A thread copies a column of `PAD_ROWS` rows.
extern "C" __global__ void pad(int rows, int columns, int padded_columns, const float *from, float *to)
{
    const int first = blockIdx.y * PAD_ROWS, column = threadIdx.x + blockIdx.x * blockDim.x;
    if (column >= padded_columns) {
        return;
    }
#pragma unroll
    for (int row = first; row < first + PAD_ROWS; row++) {
        const bool is_element = row < rows && column < columns;
        to[row * padded_columns + column] = is_element ? from[row * columns + column] : 0.0f;
    }
}
