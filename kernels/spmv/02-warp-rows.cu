// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a warp has a row: its lanes take neighbours, and add up their sums.
// Why:     elements of a row lie side by side, so all bytes of a sector are used at once, and a long row has 32 lanes.
// Expect:  faster where rows are long. A row of 16 elements leaves half of the lanes without work.

#include "lanes.cuh"

#define LANES 32 // of a row

extern "C" __global__ void spmv(
    int rows, const int *starts, const int *columns, const float *values, const float *x, float *y)
{
    const unsigned thread = threadIdx.x + blockIdx.x * blockDim.x;
    const int row = thread / LANES, lane = thread % LANES;
    float sum = 0.0f;
    if (row < rows) {
        for (int i = starts[row] + lane; i < starts[row + 1]; i += LANES) {
            sum += values[i] * x[columns[i]];
        }
    }
    sum = sum_of<LANES>(sum);
    if (row < rows && lane == 0) {
        y[row] = sum;
    }
}
