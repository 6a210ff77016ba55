// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: elements are divided by the root of their mean square. No mean is found, and no bias added.
// Why:     models do as well with it. Its only sum needs no other one before, and parts are merged by adding them.
// Expect:  as fast as layer norm, which was limited by memory; half of the waiting.

#include "block.cuh"
#include "pieces.cuh"
#include "cluster.cuh"

#define THREADS 512 // of a block, at most
#define PIECES 8 // of four elements, for a thread

__device__ __forceinline__ float4 scale4(float4 piece, float scale, float4 weight)
{
    return make_float4(piece.x * scale * weight.x, piece.y * scale * weight.y, piece.z * scale * weight.z,
                       piece.w * scale * weight.w);
}

// A row for each `LANES` lanes, with `COUNT` pieces each.
template <int LANES, int COUNT>
__device__ __forceinline__ void of_rows(int rows, int columns, float epsilon, const float *x, const float *weight, float *y)
{
    const int row = threadIdx.x / LANES + blockIdx.x * (blockDim.x / LANES);
    const int own = row < rows ? columns : 0; // all lanes take part in the shuffles
    x += (size_t)row * columns;
    y += (size_t)row * columns;
    float4 piece[COUNT];
    float squares = 0.0f;
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        piece[i] = load4<LANES>(x, 4 * LANES * i, own);
    }
    // Not in the loop before: each load would wait for the one before it.
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        squares += squares4(piece[i]);
    }
    const float scale = rsqrtf(sum_lanes<LANES>(squares) / columns + epsilon);
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        store4<LANES>(y, 4 * LANES * i, own, scale4(piece[i], scale, load4<LANES>(weight, 4 * LANES * i, own)));
    }
}

// A row for each block, or for each cluster.
template <bool IS_CLUSTER>
__device__ __forceinline__ void of_blocks(int columns, float epsilon, const float *x, const float *weight, float *y)
{
    __shared__ float parts[32];  // of each warp
    __shared__ float blocks[32]; // of each block of the cluster, in each of them
    if (IS_CLUSTER) {
        arrive(); // this block has begun
    }
    const unsigned rank = IS_CLUSTER ? cluster_rank() : 0, size = IS_CLUSTER ? cluster_size() : 1;
    const int start = rank * 4 * PIECES * blockDim.x;
    x += (size_t)(blockIdx.x / size) * columns;
    y += (size_t)(blockIdx.x / size) * columns;
    float4 piece[PIECES];
    float squares = 0.0f;
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        piece[i] = load4(x, of_warp_from(start + 4 * i * blockDim.x), columns);
    }
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        squares += squares4(piece[i]);
    }
    squares = sum_block(squares, parts);
    if (IS_CLUSTER) {
        wait(); // all blocks have begun
        if (threadIdx.x < size) {
            tell(&blocks[rank], threadIdx.x, squares);
        }
        arrive();
        wait(); // all have told
        squares = sum_lanes(threadIdx.x % 32 < size ? blocks[threadIdx.x % 32] : 0.0f);
    }
    const float scale = rsqrtf(squares / columns + epsilon);
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        const int first = of_warp_from(start + 4 * i * blockDim.x);
        store4(y, first, columns, scale4(piece[i], scale, load4(weight, first, columns)));
    }
}

extern "C" __global__ void norms_short(int rows, int columns, float epsilon, const float *x, const float *weight, float *y)
{
    if (columns <= 128) {
        of_rows<8, 4>(rows, columns, epsilon, x, weight, y);
    } else if (columns <= 256) {
        of_rows<16, 4>(rows, columns, epsilon, x, weight, y);
    } else if (columns <= 512) {
        of_rows<32, 4>(rows, columns, epsilon, x, weight, y);
    } else {
        of_rows<32, 8>(rows, columns, epsilon, x, weight, y);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 2)
norms(int rows, int columns, float epsilon, const float *x, const float *weight, float *y)
{
    of_blocks<false>(columns, epsilon, x, weight, y);
}

extern "C" __global__ void __launch_bounds__(THREADS, 2)
norms_cluster(int rows, int columns, float epsilon, const float *x, const float *weight, float *y)
{
    of_blocks<true>(columns, epsilon, x, weight, y);
}

extern "C" __global__ void norms_long(int rows, int columns, float epsilon, const float *x, const float *weight, float *y)
{
    __shared__ float parts[32]; // of each warp
    x += (size_t)blockIdx.x * columns;
    y += (size_t)blockIdx.x * columns;
    float squares = 0.0f;
    for (int i = of_warp_from(0); i < columns; i += 4 * blockDim.x) {
        squares += squares4(load4(x, i, columns));
    }
    const float scale = rsqrtf(sum_block(squares, parts) / columns + epsilon);
    for (int i = of_warp_from(0); i < columns; i += 4 * blockDim.x) {
        store4(y, i, columns, scale4(load4(x, i, columns), scale, load4(weight, i, columns)));
    }
}
