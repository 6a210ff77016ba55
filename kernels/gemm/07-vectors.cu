// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: each thread loads four neighbours of A and of B at a time. The tile of A is stored with rows as columns.
// Why:     an instruction brings 16 bytes for each thread; of a column of A that lies in a row, so do loads from shared memory.
// Expect:  much: of an element of a sum, 4 loads from shared memory are left of 16. Storing A's tile has bank conflicts.

#define TILE 128 // rows and columns of a block
#define DEPTH 8 // columns of a tile of A, rows of one of B
#define EACH 8 // rows and columns of a thread
#define SIDE (TILE / EACH) // threads along a row, and along a column
#define THREADS (SIDE * SIDE)

#include "padding.cuh"
#include "result.cuh"

extern "C" __global__ void gemm(int m, int n, int k, int pitch, float alpha, const float *a, const float *b, float beta, float *c)
{
    __shared__ float4 tile_a[DEPTH][TILE / 4], tile_b[DEPTH][TILE / 4]; // columns of A; rows of B
    const int x = threadIdx.x % SIDE * EACH, y = threadIdx.x / SIDE * EACH;
    const int a_x = threadIdx.x % (DEPTH / 4) * 4, a_y = threadIdx.x / (DEPTH / 4); // what it loads of A
    const int b_x = threadIdx.x % (TILE / 4) * 4, b_y = threadIdx.x / (TILE / 4); // and of B
    const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    float *const to_a = (float *)tile_a[a_x] + a_y;
    float sum[EACH][EACH] = {};
    for (int first = 0; first < k; first += DEPTH) {
        const float4 in_row = *(const float4 *)(a + (top + a_y) * k + first + a_x);
        to_a[0] = in_row.x; // four rows of the tile
        to_a[TILE] = in_row.y;
        to_a[2 * TILE] = in_row.z;
        to_a[3 * TILE] = in_row.w;
        tile_b[b_y][b_x / 4] = *(const float4 *)(b + (first + b_y) * pitch + left + b_x);
        __syncthreads(); // the tiles are complete
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            float4 of_a[EACH / 4], of_b[EACH / 4];
#pragma unroll
            for (int j = 0; j < EACH / 4; j++) {
                of_a[j] = tile_a[i][y / 4 + j];
                of_b[j] = tile_b[i][x / 4 + j];
            }
#pragma unroll
            for (int j = 0; j < EACH; j++) {
#pragma unroll
                for (int l = 0; l < EACH; l++) {
                    sum[j][l] += ((const float *)of_a)[j] * ((const float *)of_b)[l];
                }
            }
        }
        __syncthreads(); // all threads are done with the tiles
    }
#pragma unroll
    for (int j = 0; j < EACH; j++) {
        const int row = top + y + j;
        for (int l = 0; l < EACH && row < m; l += 4) {
            const int column = left + x + l;
            store4(c + row * n + column, n - column, n % 4 == 0, alpha, sum[j] + l, beta);
        }
    }
}
