extern "C" __global__ void halve(unsigned int width, unsigned int height, const float* in, float* out)
{
    const unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width) return;
    if (y >= height) return;
    const float* row = in + (size_t)y * width;
    (out + (size_t)y * width)[x] = ldexpf(row[x], -1);
}
