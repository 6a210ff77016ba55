// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the host sorts each 4096 rows by their lengths before it makes slices of them; `order` says which row is where.
// Why:     rows of a slice are then about equally long, and few zeros are needed.
// Expect:  the bytes of CSR with loads of whole sectors. Lanes no longer have neighbouring rows, so they share less of x.

#include "ends.cuh"

extern "C" __global__ void spmv(
    unsigned rows, const int *order, const unsigned *starts, const int *columns, const float *values, const float *x, float *y)
{
    const unsigned place = threadIdx.x + blockIdx.x * blockDim.x;
    if (place >= rows) {
        return;
    }
    float sum = 0.0f;
    for (unsigned at = starts[place / 32] + place % 32; at < starts[place / 32 + 1]; at += 32) {
        sum += values[at] * x[columns[at]];
    }
    y[order[place]] = sum;
}
