// One thread of each block makes all results of its tile.
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
    const int left = blockIdx.x * WIDTH, top = blockIdx.y * ROWS;
    if (threadIdx.x > 0 || threadIdx.y > 0) {
        return;
    }
    for (int row = top; row < top + ROWS && row < rows; row++) {
        for (int e = left; e < left + WIDTH && e < width; e++) {
            float sum = 0.0f;
            for (int j = 0; j < TAPS; j++) {
                float across = 0.0f;
                for (int k = 0; k < TAPS; k++) {
                    across += weight[k] * in[inside_rows(row + j - REACH, rows) * width + inside(e + (k - REACH) * CHANNELS, width)];
                }
                sum += weight[j] * across;
            }
            out[row * width + e] = sum;
        }
    }
}
