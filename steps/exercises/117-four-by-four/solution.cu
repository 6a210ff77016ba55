#define TILE 64  // rows and columns of a block
#define DEPTH 16 // columns of a tile of A, rows of one of B
#define EACH 4   // rows and columns of a thread

extern "C" __global__ void product(int n, int columns, int length, const float *a, const float *b, float *c)
{
    __shared__ float tile_a[TILE][DEPTH], tile_b[DEPTH][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    float sum[EACH][EACH] = {};
    for (int first = 0; first < length; first += DEPTH) {
        for (int i = 0; i < TILE; i += 16) {
            const int row = top + y + i, column = left + x + i;
            tile_a[y + i][x] = row < n && first + x < length ? a[row * length + first + x] : 0.0f;
            tile_b[y][x + i] = first + y < length && column < columns ? b[(first + y) * columns + column] : 0.0f;
        }
        __syncthreads(); // the tiles are complete
        for (int i = 0; i < DEPTH; i++) {
            float of_a[EACH], of_b[EACH];
            for (int j = 0; j < EACH; j++) {
                of_a[j] = tile_a[y * EACH + j][i];
                of_b[j] = tile_b[i][x * EACH + j];
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
            const int row = top + y * EACH + j, column = left + x * EACH + l;
            if (row < n && column < columns) {
                c[row * columns + column] = sum[j][l];
            }
        }
    }
}
