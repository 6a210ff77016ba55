#define TILE 32 // rows and columns of a block

extern "C" __global__ void gemm(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = y + blockIdx.y * TILE;
    const int column = x + blockIdx.x * TILE;
    float sum = 0.0f;
    for (int first = 0; first < k; first += TILE) {
        tile_a[y][x] = a[row * k + first + x];
        tile_b[y][x] = b[(first + y) * n + column];
        __syncthreads(); // the tiles are complete
        for (int i = 0; i < TILE; i++) {
            sum += tile_a[y][i] * tile_b[i][x];
        }
        __syncthreads(); // all threads are done with the tiles
    }
    float *const result = c + row * n + column;
    *result = beta == 0.0f ? alpha * sum : alpha * sum + beta * *result; // C may hold anything if beta is 0
}
