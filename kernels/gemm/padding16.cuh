// SPDX-License-Identifier: MIT OR Apache-2.0
// Matrices of 16-bit elements with zeros around them, so that all tiles are full: zeros add nothing to sums of products.

#define PAD_ROWS 8 // of a thread: so many loads are on their way at once

// Copies rows × columns elements to the upper left of a larger matrix. A thread copies two columns of `PAD_ROWS` rows.
extern "C" __global__ void pad(int rows, int columns, int padded_columns, const unsigned short *from, ushort2 *to)
{
    const int first = blockIdx.y * PAD_ROWS, column = 2 * (threadIdx.x + blockIdx.x * blockDim.x);
    if (column >= padded_columns) {
        return;
    }
#pragma unroll
    for (int row = first; row < first + PAD_ROWS; row++) {
        ushort2 pair = make_ushort2(0, 0);
        if (row < rows && column < columns) {
            pair.x = from[row * columns + column];
        }
        if (row < rows && column + 1 < columns) {
            pair.y = from[row * columns + column + 1];
        }
        to[(row * padded_columns + column) / 2] = pair;
    }
}
