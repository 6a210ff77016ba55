// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: a block goes through all keys and values of a head, 16 lanes for each key.
// Why:     K and V are read once, by wide loads, and no score goes to memory.
// Expect:  a part of the bandwidth: there are as many blocks as heads, and most multiprocessors have none.

#include "mean.cuh"

extern "C" __global__ void __launch_bounds__(THREADS)
context(int keys, float scale, const uint4 *q, const uint4 *k, const uint4 *v, float *o)
{
    const int head = blockIdx.y;
    const Mean mean = mean_of(head, keys, 0, keys, scale, q, k, v);
    float2 weights;
    const float sum = of_block(mean, weights);
    if (threadIdx.x < SIZE) {
        o[head * SIZE + threadIdx.x] = sum / weights.y;
    }
}
