// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a thread computes 8 x 16 elements, a warp 64 x 64, and a block has four warps. What the next terms need is loaded ahead.
// Why:     24 elements from shared memory serve 128 multiply-adds instead of 16 for 64, and their loads are never waited for.
// Expect:  a sixth or more. Two blocks share a multiprocessor: eight warps are enough, since each has 128 independent sums.

#define TILE 128 // rows and columns of a block
#define DEPTH 8 // columns of a tile of A, rows of one of B
#define ROWS 8 // of a thread, in twice four
#define COLUMNS 16 // of a thread, in four times four
#define WARP_TILE 64 // rows and columns of a warp: 8 threads along a column, 4 along a row
#define THREADS 128

#include "padding.cuh"
#include "result.cuh"
#include "copies.cuh"

// The tiles of a block: columns of A, rows of B.
struct Tiles {
    float4 a[2][DEPTH][TILE / 4], b[2][DEPTH][TILE / 4];
};

// What a thread multiplies at a time.
struct Terms {
    float4 a[ROWS / 4], b[COLUMNS / 4];
};

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

// Terms `i` of a thread whose first row is `y` and whose first column is `x`.
__device__ __forceinline__ void load(Terms &terms, const Tiles &tiles, int now, int i, int y, int x)
{
#pragma unroll
    for (int j = 0; j < ROWS / 4; j++) {
        terms.a[j] = tiles.a[now][i][swizzled(i, y + j * 32) / 4];
    }
#pragma unroll
    for (int j = 0; j < COLUMNS / 4; j++) {
        terms.b[j] = tiles.b[now][i][x / 4 + j * 4];
    }
}

// Columns one after the other, down and up in turn: each multiplication has a factor with the one before in common.
__device__ __forceinline__ void multiply(float (&sum)[ROWS][COLUMNS], const Terms &terms)
{
#pragma unroll
    for (int l = 0; l < COLUMNS; l++) {
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            const int j = l % 2 == 0 ? i : ROWS - 1 - i;
            sum[j][l] += ((const float *)terms.a)[j] * ((const float *)terms.b)[l];
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 2)
gemm(int m, int n, int k, int pitch, float alpha, const float *a, const float *b, float beta, float *c)
{
    __shared__ Tiles tiles;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int x = warp % 2 * WARP_TILE + lane / 2 % 4 * 4; // its first column, and its first row
    const int y = warp / 2 * WARP_TILE + (lane % 2 + lane / 8 * 2) * 4;
    const int a_x = threadIdx.x % 2 * 4, a_y = threadIdx.x / 2; // what it loads of A: two rows
    const int b_x = threadIdx.x % 32 * 4, b_y = threadIdx.x / 32; // and of B: two rows
    const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    const float *from_a = a + (top + a_y) * k + a_x, *from_b = b + b_y * pitch + left + b_x;
    const int to_a = a_x * TILE + swizzled(a_x, a_y);
    float4 next[2];
    const auto fetch = [&](int now) {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            next[i] = *(const float4 *)(from_a + i * (THREADS / 2) * k);
            copy16(&tiles.b[now][b_y + i * 4][b_x / 4], from_b + i * 4 * pitch);
        }
        from_a += DEPTH;
        from_b += DEPTH * pitch;
    };
    const auto settle = [&](int now) {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            turn((float *)tiles.a[now] + to_a + i * (THREADS / 2), next[i]);
        }
    };
    float sum[ROWS][COLUMNS] = {};
    Terms terms[2];
    fetch(0);
    settle(0);
    wait_for_copies();
    __syncthreads(); // the first tiles are complete
    load(terms[0], tiles, 0, 0, y, x);
    int now = 0;
#pragma unroll 1
    for (int first = 0; first + DEPTH < k; first += DEPTH) {
        fetch(now ^ 1);
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            if (i == DEPTH - 4) {
                settle(now ^ 1);
            }
            if (i == DEPTH - 1) {
                wait_for_copies();
                __syncthreads(); // the next tiles are complete, and nobody will read these any more
                now ^= 1;
            }
            load(terms[(i + 1) % 2], tiles, now, (i + 1) % DEPTH, y, x);
            multiply(sum, terms[i % 2]);
        }
    }
#pragma unroll
    for (int i = 0; i < DEPTH; i++) { // of the last tiles
        if (i + 1 < DEPTH) {
            load(terms[(i + 1) % 2], tiles, now, i + 1, y, x);
        }
        multiply(sum, terms[i % 2]);
    }
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
        const int row = top + y + j % 4 + j / 4 * 32;
#pragma unroll
        for (int l = 0; l < COLUMNS; l += 4) {
            const int column = left + x + l * 4;
            if (row < m) {
                store4(c + row * n + column, n - column, n % 4 == 0, alpha, sum[j] + l, beta);
            }
        }
    }
}
