// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: each thread has a row of the matrix, and adds up its products.
// Why:     rows do not depend on each other.
// Expect:  neighbouring lanes read from different rows, so most bytes of a sector are for later; a warp waits for its longest row.

extern "C" __global__ void spmv(
    int rows, const int *starts, const int *columns, const float *values, const float *x, float *y)
{
    const int row = threadIdx.x + blockIdx.x * blockDim.x;
    if (row >= rows) {
        return;
    }
    float sum = 0.0f;
    for (int i = starts[row]; i < starts[row + 1]; i++) {
        sum += values[i] * x[columns[i]];
    }
    y[row] = sum;
}
