// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a thread computes eight elements of a column of C. Tiles of C are 64 x 64, those of A and B 8 long.
// Why:     an element of B that is in a register serves eight multiply-adds: nine loads from shared memory instead of 16.
// Expect:  nearly twice as fast; and half as many loads from L2, since tiles are twice as wide.

#define TILE 64 // rows and columns of a block
#define DEPTH 8 // columns of a tile of A, rows of one of B
#define ROWS 8 // results of a thread

extern "C" __global__ void gemm(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c)
{
    __shared__ float tile_a[TILE][DEPTH], tile_b[DEPTH][TILE];
    const int x = threadIdx.x % TILE, y = threadIdx.x / TILE; // of TILE * TILE / ROWS threads
    const int a_x = threadIdx.x % DEPTH, a_y = threadIdx.x / DEPTH; // what it loads of A
    const int row = y * ROWS + blockIdx.y * TILE, a_row = a_y + blockIdx.y * TILE;
    const int column = x + blockIdx.x * TILE;
    float sum[ROWS] = {};
    for (int first = 0; first < k; first += DEPTH) {
        tile_a[a_y][a_x] = a_row < m && first + a_x < k ? a[a_row * k + first + a_x] : 0.0f; // zeros add nothing
        tile_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0.0f;
        __syncthreads(); // the tiles are complete
        for (int i = 0; i < DEPTH; i++) {
            const float of_b = tile_b[i][x];
            for (int j = 0; j < ROWS; j++) {
                sum[j] += tile_a[y * ROWS + j][i] * of_b;
            }
        }
        __syncthreads(); // all threads are done with the tiles
    }
    for (int j = 0; j < ROWS; j++) {
        if (row + j < m && column < n) {
            float *const result = c + (row + j) * n + column;
            *result = beta == 0.0f ? alpha * sum[j] : alpha * sum[j] + beta * *result; // C may hold anything if beta is 0
        }
    }
}
