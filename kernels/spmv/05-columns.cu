// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: rows are filled up with zeros to one width, and stored column by column: the first elements of all rows come first.
// Why:     neighbouring lanes have neighbouring rows, so a warp reads 32 neighbours, and no lane needs another's sum.
// Expect:  the speed of memory if rows are equal. Otherwise zeros are read too, or much is left for the second kernel: it adds what
//          is beyond the width, a warp for a piece of a row.

#include "ends.cuh"

extern "C" __global__ void spmv(
    int rows, int width, const int *columns, const float *values, const float *x, float *y)
{
    const int row = threadIdx.x + blockIdx.x * blockDim.x;
    if (row >= rows) {
        return;
    }
    const int apart = (rows + 31) / 32 * 32; // two elements of a row
    float sum = 0.0f;
    for (int i = 0, at = row; i < width; i++, at += apart) {
        sum += values[at] * x[columns[at]];
    }
    y[row] = sum;
}
