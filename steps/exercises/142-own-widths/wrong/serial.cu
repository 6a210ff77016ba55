// says: work is badly divided
// A thread does the work of its block.

#include "ends.cuh"

extern "C" __global__ void spmv(
    unsigned rows, const unsigned *starts, const int *columns, const float *values, const float *x, float *y)
{
    if (threadIdx.x > 0) {
        return;
    }
    for (unsigned row = blockIdx.x * blockDim.x; row < min(rows, (blockIdx.x + 1) * blockDim.x); row++) {
        float sum = 0.0f;
        for (unsigned at = starts[row / 32] + row % 32; at < starts[row / 32 + 1]; at += 32) {
            sum += values[at] * x[columns[at]];
        }
        y[row] = sum;
    }
}
