#define TILE 32 // rows and columns of a block

extern "C" __global__ void transpose(int rows, int columns, const float* in, float* out)
{
    __shared__ float tile[TILE][TILE];
    int column = threadIdx.x + blockIdx.x * TILE;
    int row = threadIdx.y + blockIdx.y * TILE;
    for (int again = 0; again < 16; again++) {
        if (row < rows && column < columns) {
            tile[threadIdx.y][threadIdx.x] = ((const volatile float*)in)[row * columns + column];
        }
    }
    __syncthreads(); // the tile is complete
    column = threadIdx.x + blockIdx.y * TILE; // of the result
    row = threadIdx.y + blockIdx.x * TILE;
    if (row < columns && column < rows) {
        out[row * rows + column] = tile[threadIdx.x][threadIdx.y];
    }
}
