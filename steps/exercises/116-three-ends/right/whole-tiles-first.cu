// Whole tiles need no test; what is left of the sums is the last round.
#define TILE 32

__device__ float element(const float *of, int rows, int columns, int row, int column)
{
    return row < rows && column < columns ? of[row * columns + column] : 0.0f;
}

extern "C" __global__ void gemm(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c)
{
    __shared__ float tile_a[TILE][TILE + 1], tile_b[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y, row = y + blockIdx.y * TILE, column = x + blockIdx.x * TILE;
    const bool is_whole = (blockIdx.y + 1) * TILE <= m && (blockIdx.x + 1) * TILE <= n;
    float sum = 0.0f;
    for (int first = 0; first < k; first += TILE) {
        __syncthreads();
        if (is_whole && first + TILE <= k) {
            tile_a[y][x] = a[row * k + first + x];
            tile_b[y][x] = b[(first + y) * n + column];
        } else {
            tile_a[y][x] = element(a, m, k, row, first + x);
            tile_b[y][x] = element(b, k, n, first + y, column);
        }
        __syncthreads();
        for (int i = 0; i < TILE; i++) {
            sum = fmaf(tile_a[y][i], tile_b[i][x], sum);
        }
    }
    if (row < m && column < n) {
        const int at = row * n + column;
        c[at] = beta != 0.0f ? fmaf(beta, c[at], alpha * sum) : alpha * sum;
    }
}
