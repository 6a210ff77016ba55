// SPDX-License-Identifier: MIT OR Apache-2.0
// A variance in one pass.

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
        squares += x[i] * x[i];
    }
    const float mean = sum_block(sum, sums) / columns;
    const float variance = fmaxf(sum_block(squares, parts) / columns - mean * mean, 0.0f);
    const float scale = rsqrtf(variance + epsilon);
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        y[i] = (x[i] - mean) * scale * weight[i] + bias[i];
    }
}
