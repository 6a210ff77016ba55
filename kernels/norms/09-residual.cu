// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: another matrix is added first. The sums are stored, and so is their norm.
// Why:     between two layers of a model, both are needed. A kernel of its own for the sums would write them, and this one read them.
// Expect:  half the elements in the same time, since each has 16 bytes to move; a separate addition would have 20.

#include "block.cuh"
#include "pieces.cuh"
#include "cluster.cuh"

#define THREADS 512 // of a block, at most
#define PIECES 8 // of four elements, for a thread

__device__ __forceinline__ float4 add4(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__device__ __forceinline__ float4 scale4(float4 piece, float scale, float4 weight)
{
    return make_float4(piece.x * scale * weight.x, piece.y * scale * weight.y, piece.z * scale * weight.z,
                       piece.w * scale * weight.w);
}

// A row for each `LANES` lanes, with `COUNT` pieces each.
template <int LANES, int COUNT>
__device__ __forceinline__ void of_rows(int rows, int columns, float epsilon, const float *x, const float *residual, const float *weight, float *sums, float *y)
{
    const int row = threadIdx.x / LANES + blockIdx.x * (blockDim.x / LANES);
    const int own = row < rows ? columns : 0; // all lanes take part in the shuffles
    x += (size_t)row * columns;
    residual += (size_t)row * columns;
    sums += (size_t)row * columns;
    y += (size_t)row * columns;
    float4 piece[COUNT];
    float squares = 0.0f;
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        piece[i] = add4(load4<LANES>(x, 4 * LANES * i, own), load4<LANES>(residual, 4 * LANES * i, own));
        store4<LANES>(sums, 4 * LANES * i, own, piece[i]);
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
__device__ __forceinline__ void of_blocks(int columns, float epsilon, const float *x, const float *residual, const float *weight, float *sums, float *y)
{
    __shared__ float parts[32];  // of each warp
    __shared__ float blocks[32]; // of each block of the cluster, in each of them
    if (IS_CLUSTER) {
        arrive(); // this block has begun
    }
    const unsigned rank = IS_CLUSTER ? cluster_rank() : 0, size = IS_CLUSTER ? cluster_size() : 1;
    const int start = rank * 4 * PIECES * blockDim.x;
    x += (size_t)(blockIdx.x / size) * columns;
    residual += (size_t)(blockIdx.x / size) * columns;
    sums += (size_t)(blockIdx.x / size) * columns;
    y += (size_t)(blockIdx.x / size) * columns;
    float4 piece[PIECES];
    float squares = 0.0f;
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        const int first = of_warp_from(start + 4 * i * blockDim.x);
        piece[i] = add4(load4(x, first, columns), load4(residual, first, columns));
        store4(sums, first, columns, piece[i]);
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

extern "C" __global__ void norms_short(int rows, int columns, float epsilon, const float *x, const float *residual, const float *weight, float *sums, float *y)
{
    if (columns <= 128) {
        of_rows<8, 4>(rows, columns, epsilon, x, residual, weight, sums, y);
    } else if (columns <= 256) {
        of_rows<16, 4>(rows, columns, epsilon, x, residual, weight, sums, y);
    } else if (columns <= 512) {
        of_rows<32, 4>(rows, columns, epsilon, x, residual, weight, sums, y);
    } else {
        of_rows<32, 8>(rows, columns, epsilon, x, residual, weight, sums, y);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 2)
norms(int rows, int columns, float epsilon, const float *x, const float *residual, const float *weight, float *sums, float *y)
{
    of_blocks<false>(columns, epsilon, x, residual, weight, sums, y);
}

extern "C" __global__ void __launch_bounds__(THREADS, 2)
norms_cluster(int rows, int columns, float epsilon, const float *x, const float *residual, const float *weight, float *sums, float *y)
{
    of_blocks<true>(columns, epsilon, x, residual, weight, sums, y);
}

extern "C" __global__ void norms_long(int rows, int columns, float epsilon, const float *x, const float *residual, const float *weight, float *sums, float *y)
{
    __shared__ float parts[32]; // of each warp
    x += (size_t)blockIdx.x * columns;
    residual += (size_t)blockIdx.x * columns;
    sums += (size_t)blockIdx.x * columns;
    y += (size_t)blockIdx.x * columns;
    float squares = 0.0f;
    for (int i = of_warp_from(0); i < columns; i += 4 * blockDim.x) {
        const float4 piece = add4(load4(x, i, columns), load4(residual, i, columns));
        store4(sums, i, columns, piece);
        squares += squares4(piece);
    }
    const float scale = rsqrtf(sum_block(squares, parts) / columns + epsilon);
    for (int i = of_warp_from(0); i < columns; i += 4 * blockDim.x) {
        store4(y, i, columns, scale4(load4(sums, i, columns), scale, load4(weight, i, columns)));
    }
}
