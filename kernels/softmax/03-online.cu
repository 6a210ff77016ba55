// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: maximum and sum are found in one pass: whenever the maximum grows, the sum so far is scaled.
// Why:     each element is read twice instead of three times.
// Expect:  up to 4/3 of the speed where rows do not fit a cache. Two exponentials for an element are not what limits.

#include "block.cuh"
#include "online.cuh"

extern "C" __global__ void softmax(int rows, int columns, const float *x, float *y)
{
    const float *const from = x + (size_t)blockIdx.x * columns;
    float *const to = y + (size_t)blockIdx.x * columns;
    float most = LEAST, sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        add(most, sum, from[i]);
    }
    sum = add_block(most, sum);
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        to[i] = expf(from[i] - most) / sum;
    }
}
