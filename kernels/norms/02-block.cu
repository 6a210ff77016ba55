// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a block for each row. Its threads take neighbouring elements, and add up their sums.
// Why:     a warp reads 128 bytes in a row, and few rows are in use at a time, which a cache can hold.
// Expect:  many times the speed; each element is still read three times, mostly from a cache.

#include "block.cuh"

extern "C" __global__ void norms(
    int rows, int columns, float epsilon, const float *x, const float *weight, const float *bias, float *y)
{
    __shared__ float sums[32], parts[32]; // of each warp
    x += (size_t)blockIdx.x * columns;
    y += (size_t)blockIdx.x * columns;
    float sum = 0.0f, squares = 0.0f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        sum += x[i];
    }
    const float mean = sum_block(sum, sums) / columns;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        squares += (x[i] - mean) * (x[i] - mean);
    }
    const float scale = rsqrtf(sum_block(squares, parts) / columns + epsilon);
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        y[i] = (x[i] - mean) * scale * weight[i] + bias[i];
    }
}
