#include "mean.cuh"

extern "C" __global__ void __launch_bounds__(THREADS)
context(int keys, float scale, const uint4 *q, const uint4 *k, const uint4 *v, float *sums, float2 *weights)
{
    const int head = blockIdx.y, part = head * gridDim.x + blockIdx.x;
    // TODO: keys are any number, and each of them counts
    const int share = keys / gridDim.x, from = blockIdx.x * share;
    const Mean mean = mean_of(head, keys, from, from + share, scale, q, k, v);
    float2 of_part;
    const float sum = of_block(mean, of_part);
    if (threadIdx.x < SIZE) {
        sums[part * SIZE + threadIdx.x] = sum;
    }
    if (threadIdx.x == 0) {
        weights[part] = of_part;
    }
}

extern "C" __global__ void merge(int parts, const float *sums, const float2 *weights, float *o)
{
    const int head = blockIdx.x;
    float2 of_head;
    const float sum = merged(parts, weights + head * parts, sums + head * parts * SIZE, threadIdx.x, of_head);
    o[head * SIZE + threadIdx.x] = sum / of_head.y;
}
