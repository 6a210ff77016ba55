// Nine sums over rows for each result.
// says: shared requests
#define REACH 4 // pixels on each side
#define TAPS (2 * REACH + 1)
#define WIDTH 96 // elements of a row of the tile, and threads
#define ROWS 16 // of the tile
#define THREADS 4 // rows of threads
#define EACH (ROWS / THREADS) // rows of a thread
#define CHANNELS 3 // elements of a pixel

__constant__ float weight[TAPS];

// The element that stands for one outside of its row: that of the pixel at the edge.
__device__ int inside(int element, int width)
{
    if (element < 0) return (element + CHANNELS * REACH) % CHANNELS;
    return element < width ? element : width - CHANNELS + element % CHANNELS;
}

__device__ int inside_rows(int row, int rows)
{
    return min(max(row, 0), rows - 1);
}

extern "C" __global__ void both(int width, int rows, const float* in, float* out)
{
    __shared__ float tile[ROWS + 2 * REACH][WIDTH + 2 * REACH * CHANNELS];
    __shared__ float across[ROWS + 2 * REACH][WIDTH];
    const int left = blockIdx.x * WIDTH, top = blockIdx.y * ROWS;
    const int x = threadIdx.x;
    for (int round = 0; round < (ROWS + 2 * REACH) / THREADS; round++) {
        const int y = threadIdx.y + round * THREADS;
        const int row = inside_rows(top + y - REACH, rows);
        for (int e = x; e < WIDTH + 2 * REACH * CHANNELS; e += WIDTH) {
            tile[y][e] = in[row * width + inside(left + e - REACH * CHANNELS, width)];
        }
    }
    __syncthreads(); // the tile is complete
    for (int round = 0; round < (ROWS + 2 * REACH) / THREADS; round++) {
        const int y = threadIdx.y + round * THREADS;
        float sum = 0.0f;
        for (int k = 0; k < TAPS; k++) {
            sum += weight[k] * tile[y][x + k * CHANNELS];
        }
        across[y][x] = sum;
    }
    __syncthreads(); // and its sums along rows
    const int first = threadIdx.y * EACH;
    for (int j = 0; j < EACH; j++) {
        const volatile float* const from = &across[first + j][x];
        float sum = 0.0f;
        for (int k = 0; k < TAPS; k++) {
            sum += weight[k] * from[k * WIDTH];
        }
        if (left + x < width && top + first + j < rows) {
            out[(top + first + j) * width + left + x] = sum;
        }
    }
}
