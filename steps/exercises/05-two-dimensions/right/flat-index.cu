// The threads of the grid are numbered as the pixels are.
extern "C" __global__ void halve(unsigned int width, unsigned int height, const float* in, float* out)
{
    const unsigned int block = blockIdx.y * gridDim.x + blockIdx.x;
    const unsigned int i = block * (blockDim.x * blockDim.y) + threadIdx.y * blockDim.x + threadIdx.x;
    if (i < width * height) {
        out[i] = in[i] / 2;
    }
}
