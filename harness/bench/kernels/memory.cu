// Kernels that do little but access memory: what watching them costs.

extern "C" __global__ void copy(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

// A tile of 32 x 32 for each of both factors: blocks of 32 x 32 threads, n a multiple of 32.
extern "C" __global__ void product(float *out, const float *left, const float *right, int n)
{
    __shared__ float rows[32][32];
    __shared__ float columns[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    int row = 32 * blockIdx.y + y, column = 32 * blockIdx.x + x;
    float sum = 0.0f;
    for (int tile = 0; tile < n; tile += 32) {
        rows[y][x] = left[row * n + tile + x];
        columns[y][x] = right[(tile + y) * n + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 32; k++)
            sum += rows[y][k] * columns[k][x];
        __syncthreads();
    }
    out[row * n + column] = sum;
}
