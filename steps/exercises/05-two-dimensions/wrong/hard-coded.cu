extern "C" __global__ void halve(unsigned int width, unsigned int height, const float* in, float* out)
{
    const unsigned int x = blockIdx.x * 16 + threadIdx.x;
    const unsigned int y = blockIdx.y * 16 + threadIdx.y;
    if (x < width && y < height) {
        out[y * width + x] = 0.5f * in[y * width + x];
    }
}
