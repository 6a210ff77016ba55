extern "C" __global__ void blur(int n, const float* in, float* out)
{
    __shared__ float tile[20][20];
    __shared__ float across[20][16];
    const int x = threadIdx.x, y = threadIdx.y;
    for (int k = y * 16 + x; k < 400; k += 256) {
        const int column = blockIdx.x * 16 + k % 20 - 2, row = blockIdx.y * 16 + k / 20 - 2;
        const bool is_inside = column >= 0 && column < n && row >= 0 && row < n;
        tile[k / 20][k % 20] = is_inside ? in[row * n + column] : 0.0f;
    }
    __syncthreads(); // the tile is there
    for (int row = y; row < 20; row += 16) {
        float sum = 0.0f;
        for (int k = 0; k < 5; ++k) {
            sum += tile[row][x + k];
        }
        across[row][x] = sum;
    }
    __syncthreads(); // and its sums over rows
    float sum = 0.0f;
    for (int k = 0; k < 5; ++k) {
        sum += across[y + k][x];
    }
    out[(blockIdx.y * 16 + y) * n + blockIdx.x * 16 + x] = sum;
}
