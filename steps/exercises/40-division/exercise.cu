extern "C" __global__ void number_rows(unsigned int width, unsigned int height, const float* in, float* out)
{
    const unsigned int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned int i = first; i < width * height; i += gridDim.x * blockDim.x) {
        out[i] = in[i] + (float)(i / width);
    }
}
