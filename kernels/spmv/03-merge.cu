// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the elements and the ends of rows make one list; each thread has as many items of it as any other.
// Why:     no thread has more to do than others, however long rows are. Sums that are not of a whole row are added to y.
// Expect:  the same speed for any matrix. Neighbouring lanes read seven elements apart.

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
    if (i > starts[row]) { // it ends in another thread
        atomicAdd(y + row, sum);
    }
}
