// SPDX-License-Identifier: MIT OR Apache-2.0
// Long rows, with a cluster for each.

#include "cluster.cuh"

// Each block has `4 * PIECES * blockDim.x` elements of the row of its cluster.
extern "C" __global__ void __launch_bounds__(THREADS, 2) norms_cluster(
    int rows, int columns, float epsilon, const float *x, const float *weight, const float *bias, float *y)
{
    __shared__ float sums[32], parts[32]; // of each warp
    __shared__ Moments blocks[32]; // of each block of the cluster, in each of them
    arrive(); // this block has begun
    const int share = 4 * PIECES * blockDim.x, start = cluster_rank() * share;
    const int count = max(min(share, columns - start), 0);
    x += (size_t)(blockIdx.x / cluster_size()) * columns;
    y += (size_t)(blockIdx.x / cluster_size()) * columns;
    float4 piece[PIECES];
    float sum = 0.0f, squares = 0.0f;
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        piece[i] = load4(x, of_warp_from(start + 4 * i * blockDim.x), columns);
        sum += sum4(piece[i]);
    }
    const float mean = sum_block(sum, sums) / max(count, 1);
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        piece[i] = apart4(piece[i], mean, held(of_warp_from(start + 4 * i * blockDim.x), columns));
        squares += squares4(piece[i]);
    }
    squares = sum_block(squares, parts);
    wait(); // all blocks have begun
    if (threadIdx.x < cluster_size()) {
        Moments &own = blocks[cluster_rank()];
        tell(&own.count, threadIdx.x, count);
        tell(&own.mean, threadIdx.x, mean);
        tell(&own.squares, threadIdx.x, squares);
    }
    arrive();
    wait(); // all have told
    const int lane = threadIdx.x % 32;
    const Moments all = merge_lanes(lane < cluster_size() ? blocks[lane] : Moments{0.0f, 0.0f, 0.0f});
    const float moved = all.mean - mean, scale = rsqrtf(all.squares / columns + epsilon);
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        const int first = of_warp_from(start + 4 * i * blockDim.x);
        const float4 apart = apart4(piece[i], moved, 4);
        store4(y, first, columns, results4(apart, scale, load4(weight, first, columns), load4(bias, first, columns)));
    }
}
