// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the block brings a tile of A and one of B to shared memory, and adds up their products; then the next tiles.
// Why:     each element of a tile serves 32 threads, and is loaded from L2 or DRAM once for all of them.
// Expect:  less than hoped: shared memory and the L1 cache are one memory, and a multiply-add still needs two loads from it.

#define TILE 32 // rows and columns of a block

extern "C" __global__ void gemm(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = y + blockIdx.y * TILE;
    const int column = x + blockIdx.x * TILE;
    float sum = 0.0f;
    for (int first = 0; first < k; first += TILE) {
        tile_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0.0f; // zeros add nothing
        tile_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0.0f;
        __syncthreads(); // the tiles are complete
        for (int i = 0; i < TILE; i++) {
            sum += tile_a[y][i] * tile_b[i][x];
        }
        __syncthreads(); // all threads are done with the tiles
    }
    if (row < m && column < n) {
        float *const result = c + row * n + column;
        *result = beta == 0.0f ? alpha * sum : alpha * sum + beta * *result; // C may hold anything if beta is 0
    }
}
