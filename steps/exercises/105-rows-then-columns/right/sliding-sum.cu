// The block's first 20 × 4 threads slide along a quarter of a row each.
// A pixel, or 0 outside of the image.
__device__ float pixel(int n, const float* in, int column, int row)
{
    return column >= 0 && column < n && row >= 0 && row < n ? in[row * n + column] : 0.0f;
}

extern "C" __global__ void blur(int n, const float* in, float* out)
{
    __shared__ float tile[20][21], across[20][17];
    const int t = threadIdx.y * 16 + threadIdx.x, left = blockIdx.x * 16 - 2, top = blockIdx.y * 16 - 2;
    for (int k = t; k < 400; k += 256) {
        tile[k / 20][k % 20] = pixel(n, in, left + k % 20, top + k / 20);
    }
    __syncthreads();
    if (t < 80) {
        const int row = t % 20, first = t / 20 * 4;
        const float* const from = &tile[row][first];
        float sum = from[0] + from[1] + from[2] + from[3] + from[4];
        across[row][first] = sum;
        for (int k = 1; k < 4; ++k) {
            sum += from[k + 4] - from[k - 1];
            across[row][first + k] = sum;
        }
    }
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 5; ++k) {
        sum += across[threadIdx.y + k][threadIdx.x];
    }
    out[(blockIdx.y * 16 + threadIdx.y) * n + blockIdx.x * 16 + threadIdx.x] = sum;
}
