// Each element of C is computed by 16 threads, and each thread has 4 × 4.
// says: shared bytes: 
#define TILE 16

extern "C" __global__ void product(int n, int columns, int length, const float *a, const float *b, float *c)
{
    __shared__ float tile_a[16][16], tile_b[16][16];
    const int x = threadIdx.x, y = threadIdx.y, row = y + blockIdx.y * 16, column = x + blockIdx.x * 16;
    float sum[4][4] = {};
    for (int first = 0; first < length; first += 16) {
        tile_a[y][x] = row < n && first + x < length ? a[row * length + first + x] : 0.0f;
        tile_b[y][x] = first + y < length && column < columns ? b[(first + y) * columns + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; i++) {
            for (int j = 0; j < 16; j++) {
                sum[j / 4][j % 4] += tile_a[y / 4 * 4 + j / 4][i] * tile_b[i][x / 4 * 4 + j % 4];
            }
        }
        __syncthreads();
    }
    float own = 0.0f;
    for (int j = 0; j < 16; j++) {
        own = j == y % 4 * 4 + x % 4 ? sum[j / 4][j % 4] : own;
    }
    if (row < n && column < columns) {
        c[row * columns + column] = own;
    }
}
