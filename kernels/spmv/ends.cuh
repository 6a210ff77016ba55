// SPDX-License-Identifier: MIT OR Apache-2.0
// The ends of rows that are too long for a format. They stay where they are by rows, in pieces: row, first element and end.

#include "lanes.cuh"

// Adds the products of each piece to y, a warp for each.
extern "C" __global__ void ends(
    unsigned count, const int *pieces, const int *columns, const float *values, const float *x, float *y)
{
    const unsigned thread = threadIdx.x + blockIdx.x * blockDim.x, warps = gridDim.x * blockDim.x / 32;
    for (unsigned piece = thread / 32; piece < count; piece += warps) {
        const int row = pieces[3 * piece], end = pieces[3 * piece + 2];
        float sum = 0.0f;
        for (int i = pieces[3 * piece + 1] + thread % 32; i < end; i += 32) {
            sum += values[i] * x[columns[i]];
        }
        sum = sum_of<32>(sum);
        if (thread % 32 == 0) {
            atomicAdd(y + row, sum);
        }
    }
}
