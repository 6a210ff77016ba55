// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: mean and squares are found in one pass: each element moves the mean, and the squares follow it. Parts are merged.
// Why:     each element is read twice instead of three times.
// Expect:  up to 4/3 of the speed where rows do not fit a cache; a loss where they do, since each element has a division.

#include "block.cuh"
#include "moments.cuh"

extern "C" __global__ void norms(
    int rows, int columns, float epsilon, const float *x, const float *weight, const float *bias, float *y)
{
    x += (size_t)blockIdx.x * columns;
    y += (size_t)blockIdx.x * columns;
    Moments all = {0.0f, 0.0f, 0.0f};
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        add(all, x[i]);
    }
    all = merge_block(all);
    const float mean = all.mean, scale = rsqrtf(all.squares / columns + epsilon);
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        y[i] = (x[i] - mean) * scale * weight[i] + bias[i];
    }
}
