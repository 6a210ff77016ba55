// Every thread adds its rows itself, from global memory.
// says: wanted
// A pixel, or 0 outside of the image.
__device__ float pixel(int n, const float* in, int column, int row)
{
    return column >= 0 && column < n && row >= 0 && row < n ? in[row * n + column] : 0.0f;
}

extern "C" __global__ void blur(int n, const float* in, float* out)
{
    const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    float sum = 0.0f;
    for (int k = 0; k < 25; ++k) {
        sum += pixel(n, in, column + k % 5 - 2, row + k / 5 - 2);
    }
    out[row * n + column] = sum;
}
