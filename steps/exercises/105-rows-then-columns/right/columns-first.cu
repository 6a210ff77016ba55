// A pixel, or 0 outside of the image.
__device__ float pixel(int n, const float* in, int column, int row)
{
    return column >= 0 && column < n && row >= 0 && row < n ? in[row * n + column] : 0.0f;
}

extern "C" __global__ void blur(int n, const float* in, float* out)
{
    __shared__ float tile[20][20], down[16][20];
    const int t = threadIdx.y * 16 + threadIdx.x, left = blockIdx.x * 16 - 2, top = blockIdx.y * 16 - 2;
    for (int k = t; k < 400; k += 256) {
        tile[k / 20][k % 20] = pixel(n, in, left + k % 20, top + k / 20);
    }
    __syncthreads();
    for (int k = t; k < 320; k += 256) {
        const int row = k / 20, column = k % 20;
        down[row][column] = tile[row][column] + tile[row + 1][column] + tile[row + 2][column] + tile[row + 3][column] + tile[row + 4][column];
    }
    __syncthreads();
    const float* const own = &down[threadIdx.y][threadIdx.x];
    out[(top + 2 + threadIdx.y) * n + left + 2 + threadIdx.x] = (own[0] + own[1]) + (own[2] + own[3]) + own[4];
}
