// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the tile of B is copied to shared memory by asynchronous copies, which pass no register.
// Why:     four registers for each thread and an instruction less. A's tile is turned on the way and still needs registers.
// Expect:  little: a few instructions of hundreds.

#define TILE 128 // rows and columns of a block
#define DEPTH 8 // columns of a tile of A, rows of one of B
#define EACH 8 // rows and columns of a thread: four, and four half a tile further
#define SIDE (TILE / EACH) // threads along a row, and along a column
#define THREADS (SIDE * SIDE)

#include "padding.cuh"
#include "result.cuh"
#include "copies.cuh"

// Where row `y` of A lies in column `x` of its tile: others for each four columns.
__device__ __forceinline__ int swizzled(int x, int y)
{
    return y ^ (x / 4 * 16);
}

// Stores four neighbours of a row of A as elements of four rows of a tile.
__device__ __forceinline__ void turn(float *to, float4 in_row)
{
    to[0] = in_row.x;
    to[TILE] = in_row.y;
    to[2 * TILE] = in_row.z;
    to[3 * TILE] = in_row.w;
}

extern "C" __global__ void __launch_bounds__(THREADS, 2)
gemm(int m, int n, int k, int pitch, float alpha, const float *a, const float *b, float beta, float *c)
{
    __shared__ float4 tile_a[2][DEPTH][TILE / 4], tile_b[2][DEPTH][TILE / 4]; // columns of A; rows of B
    const int x = threadIdx.x % SIDE * 4, y = threadIdx.x / SIDE * 4;
    const int a_x = threadIdx.x % (DEPTH / 4) * 4, a_y = threadIdx.x / (DEPTH / 4); // what it loads of A
    const int b_x = threadIdx.x % (TILE / 4) * 4, b_y = threadIdx.x / (TILE / 4); // and of B
    const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    const float *const from_a = a + (top + a_y) * k + a_x, *const from_b = b + b_y * pitch + left + b_x;
    const int to_a = a_x * TILE + swizzled(a_x, a_y);
    float sum[EACH][EACH] = {};
    copy16(&tile_b[0][b_y][b_x / 4], from_b);
    turn((float *)tile_a[0] + to_a, *(const float4 *)from_a);
    wait_for_copies();
    __syncthreads(); // the first tiles are complete
    for (int first = 0, now = 0; first < k; first += DEPTH, now ^= 1) {
        const bool more = first + DEPTH < k;
        float4 next_a;
        if (more) {
            next_a = *(const float4 *)(from_a + first + DEPTH);
            copy16(&tile_b[now ^ 1][b_y][b_x / 4], from_b + (first + DEPTH) * pitch);
        }
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            float4 of_a[EACH / 4], of_b[EACH / 4];
#pragma unroll
            for (int j = 0; j < EACH / 4; j++) {
                of_a[j] = tile_a[now][i][swizzled(i, y + j * TILE / 2) / 4];
                of_b[j] = tile_b[now][i][(x + j * TILE / 2) / 4];
            }
#pragma unroll
            for (int j = 0; j < EACH; j++) {
#pragma unroll
                for (int l = 0; l < EACH; l++) {
                    sum[j][l] += ((const float *)of_a)[j] * ((const float *)of_b)[l];
                }
            }
        }
        if (more) {
            turn((float *)tile_a[now ^ 1] + to_a, next_a);
            wait_for_copies(); // its own part of B's tile is there
        }
        __syncthreads(); // the next tiles are complete, and nobody reads these any more
    }
#pragma unroll
    for (int j = 0; j < EACH; j++) {
        const int row = top + y + j % 4 + j / 4 * TILE / 2;
        for (int l = 0; l < EACH && row < m; l += 4) {
            const int column = left + x + l / 4 * TILE / 2;
            store4(c + row * n + column, n - column, n % 4 == 0, alpha, sum[j] + l, beta);
        }
    }
}
