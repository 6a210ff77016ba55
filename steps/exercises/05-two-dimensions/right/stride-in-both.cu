extern "C" __global__ void halve(unsigned int width, unsigned int height, const float* in, float* out)
{
    for (unsigned int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
        for (unsigned int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x)
            out[y * width + x] = in[y * width + x] * 0.5;
}
