#include "mean.cuh"

#define WARPS 4 // of a block

#include "queries.cuh"

#define HEADS 4096 // at most

__device__ unsigned finished[HEADS]; // blocks of each head; 0 again after a launch

extern "C" __global__ void __launch_bounds__(32 * WARPS, 3)
context(int keys, int queries, float scale, const uint4 *q, const uint4 *k, const uint4 *v, float4 *sums, float2 *weights, float4 *o)
{
    __shared__ float2 weights_of_warp[QUERIES][WARPS];
    __shared__ float4 sums_of_warp[QUERIES][WARPS * FOURS + 1]; // one more: queries begin in other banks
    __shared__ bool last;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
    const int head = blockIdx.y, parts = gridDim.x;
    const int share = (keys + parts - 1) / parts, from = blockIdx.x * share, end = min(from + share, keys);
    k += (size_t)head * keys * TEAM;
    v += (size_t)head * keys * TEAM;
    uint4 query[2][4];
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const int it = min(g + i / 4 * 8, queries - 1); // the last one again where there is none
        query[i / 4][i % 4] = q[(head * queries + it) * TEAM + t + i % 4 * 4];
    }
    Means means = {{LEAST, LEAST}, {}, {}};
    for (int first = from + warp * SIXTEEN; first < end; first += WARPS * SIXTEEN) {
        take(means, query, k, v, first, end, scale);
    }
    store(means, warp, weights_of_warp, sums_of_warp);
    __syncthreads(); // all means of warps are there
    // TODO: the first warp does it for all queries, and the others wait
    for (int i = 0; i < queries && warp == 0; i++) {
        const int part = (head * queries + i) * parts + blockIdx.x;
        float2 of_part;
        sums[part * FOURS + lane] = merged(WARPS, weights_of_warp[i], sums_of_warp[i], of_part);
        if (lane == 0) {
            weights[part] = of_part;
        }
    }
    __threadfence(); // the means are written before the block is counted
    __syncthreads(); // by all threads
    if (threadIdx.x == 0) {
        last = atomicInc(&finished[head], parts - 1) == parts - 1;
    }
    __syncthreads(); // all threads know whether the block is the last
    if (last) {
        __threadfence(); // and the means are read after it
        for (int i = 0; i < queries && warp == 0; i++) {
            const int it = head * queries + i;
            float2 of_query;
            const float4 all = merged(parts, weights + it * parts, sums + it * parts * FOURS, of_query);
            o[it * FOURS + lane] = times(1.0f / of_query.y, all);
        }
    }
}
