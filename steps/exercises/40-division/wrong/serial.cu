extern "C" __global__ void number_rows(unsigned int width, unsigned int height, const float* in, float* out)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const unsigned int all = gridDim.x * blockDim.x;

    const float* from = in;
    for (unsigned int row = 0; row < height; ++row) {
        for (unsigned int column = 0; column < width; ++column) *out++ = *from++ + (float)row;
    }
}
