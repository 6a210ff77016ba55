// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: where C has fewer tiles than the GPU has room for blocks, several blocks compute a tile, each a part of its sums.
// Why:     256 x 256 elements are four tiles: four of 132 multiprocessors would work, however long the sums are.
// Expect:  nothing for large matrices; for small ones with long sums as many times the speed as there are parts.

#define TILE 128 // rows and columns of a block
#define DEPTH 8 // columns of a tile of A, rows of one of B
#define EACH 8 // rows and columns of a thread
#define SIDE (TILE / EACH) // threads along a row, and along a column
#define THREADS (SIDE * SIDE)

extern "C" __global__ void gemm(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c, float *partial)
{
    __shared__ float tile_a[TILE][DEPTH], tile_b[DEPTH][TILE];
    const int x = threadIdx.x % SIDE * EACH, y = threadIdx.x / SIDE * EACH;
    const int a_x = threadIdx.x % DEPTH, a_y = threadIdx.x / DEPTH; // what it loads of A
    const int b_x = threadIdx.x % TILE, b_y = threadIdx.x / TILE; // and of B
    const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    const int part = (k / DEPTH / gridDim.z + 1) * DEPTH; // terms of a block, but for the last ones
    const int begin = part * blockIdx.z, end = min(k, begin + part);
    float sum[EACH][EACH] = {};
    for (int first = begin; first < end; first += DEPTH) {
        for (int i = a_y; i < TILE; i += THREADS / DEPTH) {
            tile_a[i][a_x] = top + i < m && first + a_x < end ? a[(top + i) * k + first + a_x] : 0.0f; // zeros add nothing
        }
        for (int i = b_y; i < DEPTH; i += THREADS / TILE) {
            tile_b[i][b_x] = first + i < end && left + b_x < n ? b[(first + i) * n + left + b_x] : 0.0f;
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
            if (row < m && column < n && gridDim.z > 1) {
                partial[((size_t)blockIdx.z * m + row) * n + column] = sum[j][l];
            } else if (row < m && column < n) {
                float *const result = c + row * n + column;
                *result = beta == 0.0f ? alpha * sum[j][l] : alpha * sum[j][l] + beta * *result; // C may hold anything if beta is 0
            }
        }
    }
}

// Adds the parts of each of `count` elements.
extern "C" __global__ void reduce(int count, int parts, float alpha, const float *partial, float beta, float *c)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < count) {
        float sum = 0.0f;
        for (int part = 0; part < parts; part++) {
            sum += partial[(size_t)part * count + i];
        }
        c[i] = beta == 0.0f ? alpha * sum : alpha * sum + beta * c[i];
    }
}
