// SPDX-License-Identifier: MIT OR Apache-2.0
// Rows that go on in another thread.

#include "path.cuh"

#define THREADS 256 // of a block
#define ITEMS 7     // of a thread

extern "C" __global__ void spmv(
    int rows, int elements, const int *starts, const int *columns, const float *values, const float *x, float *y)
{
    const int first = min((threadIdx.x + blockIdx.x * THREADS) * ITEMS, rows + elements);
    const int items = min(ITEMS, rows + elements - first);
    int row = ended_rows(first, rows, elements, starts + 1), i = first - row;
    bool is_whole = i == starts[row]; // the row begins here
    float sum = 0.0f;
    for (int item = 0; item < items; item++) {
        if (i == starts[row + 1]) { // the end of a row
            if (is_whole) {
                y[row] = sum;
            } else {
                atomicAdd(y + row, sum);
            }
            row++;
            sum = 0.0f;
            is_whole = true;
        } else {
            sum += values[i] * x[columns[i]];
            i++;
        }
    }
    if (row < rows) { // it ends in another thread
        atomicAdd(y + row, sum);
    }
}
