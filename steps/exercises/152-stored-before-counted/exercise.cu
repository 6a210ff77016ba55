#include "mean.cuh"

#define HEADS 4096 // at most

__device__ unsigned finished[HEADS]; // blocks of each head; 0 again after a launch

extern "C" __global__ void __launch_bounds__(THREADS)
context(int keys, float scale, const uint4 *q, const uint4 *k, const uint4 *v, float *sums, float2 *weights, float *o)
{
    __shared__ bool last;
    const int head = blockIdx.y, parts = gridDim.x, part = head * parts + blockIdx.x;
    const int share = (keys + parts - 1) / parts, from = blockIdx.x * share;
    const Mean mean = mean_of(head, keys, from, min(from + share, keys), scale, q, k, v);
    float2 of_part;
    const float sum = of_block(mean, of_part);
    if (threadIdx.x < SIZE) {
        sums[part * SIZE + threadIdx.x] = sum;
    }
    if (threadIdx.x == 0) {
        weights[part] = of_part;
    }
    // TODO: thread 0 counts the block, whatever the other threads have done
    if (threadIdx.x == 0) {
        last = atomicInc(&finished[head], parts - 1) == parts - 1;
    }
    __syncthreads(); // all threads know whether the block is the last
    if (last && threadIdx.x < SIZE) {
        __threadfence(); // and the means are read after it
        float2 of_head;
        const float all = merged(parts, weights + head * parts, sums + head * parts * SIZE, threadIdx.x, of_head);
        o[head * SIZE + threadIdx.x] = all / of_head.y;
    }
}
