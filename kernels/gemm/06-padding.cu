// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: another kernel copies A and B to matrices of whole tiles first, if theirs are not; zeros fill the rest.
// Why:     loads of the loop need no test, and each row begins at a multiple of 16 bytes, which wider loads will need.
// Expect:  little yet. The copy costs as much as reading and writing the matrices once more; they are read many times.

#define TILE 128 // rows and columns of a block
#define DEPTH 8 // columns of a tile of A, rows of one of B
#define EACH 8 // rows and columns of a thread
#define SIDE (TILE / EACH) // threads along a row, and along a column
#define THREADS (SIDE * SIDE)

#include "padding.cuh"
#include "result.cuh"

// A and B are whole tiles: k is the columns of A, `pitch` those of B, with their zeros.
extern "C" __global__ void gemm(int m, int n, int k, int pitch, float alpha, const float *a, const float *b, float beta, float *c)
{
    __shared__ float tile_a[TILE][DEPTH], tile_b[DEPTH][TILE];
    const int x = threadIdx.x % SIDE * EACH, y = threadIdx.x / SIDE * EACH;
    const int a_x = threadIdx.x % DEPTH, a_y = threadIdx.x / DEPTH; // what it loads of A
    const int b_x = threadIdx.x % TILE, b_y = threadIdx.x / TILE; // and of B
    const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    float sum[EACH][EACH] = {};
    for (int first = 0; first < k; first += DEPTH) {
        for (int i = a_y; i < TILE; i += THREADS / DEPTH) {
            tile_a[i][a_x] = a[(top + i) * k + first + a_x];
        }
        for (int i = b_y; i < DEPTH; i += THREADS / TILE) {
            tile_b[i][b_x] = b[(first + i) * pitch + left + b_x];
        }
        __syncthreads(); // the tiles are complete
        for (int i = 0; i < DEPTH; i++) {
            float of_a[EACH], of_b[EACH];
            for (int j = 0; j < EACH; j++) {
                of_a[j] = tile_a[y + j][i];
                of_b[j] = tile_b[i][x + j];
            }
            for (int j = 0; j < EACH; j++) {
                for (int l = 0; l < EACH; l++) {
                    sum[j][l] += of_a[j] * of_b[l];
                }
            }
        }
        __syncthreads(); // all threads are done with the tiles
    }
    for (int j = 0; j < EACH; j++) {
        for (int l = 0; l < EACH; l++) {
            const int row = top + y + j, column = left + x + l;
            if (row < m && column < n) {
                store(c + row * n + column, alpha, sum[j][l], beta);
            }
        }
    }
}
