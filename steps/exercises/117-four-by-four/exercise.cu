#define TILE 16  // rows and columns of a block
#define DEPTH 16 // columns of a tile of A, rows of one of B

extern "C" __global__ void product(int n, int columns, int length, const float *a, const float *b, float *c)
{
    __shared__ float tile_a[TILE][DEPTH], tile_b[DEPTH][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = y + blockIdx.y * TILE, column = x + blockIdx.x * TILE;
    float sum = 0.0f; // TODO: 4 × 4 of them
    for (int first = 0; first < length; first += DEPTH) {
        tile_a[y][x] = row < n && first + x < length ? a[row * length + first + x] : 0.0f;
        tile_b[y][x] = first + y < length && column < columns ? b[(first + y) * columns + column] : 0.0f;
        __syncthreads(); // the tiles are complete
        for (int i = 0; i < DEPTH; i++) {
            sum += tile_a[y][i] * tile_b[i][x];
        }
        __syncthreads(); // all threads are done with the tiles
    }
    if (row < n && column < columns) {
        c[row * columns + column] = sum;
    }
}
