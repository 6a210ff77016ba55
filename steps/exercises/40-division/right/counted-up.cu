extern "C" __global__ void number_rows(unsigned int width, unsigned int height, const float* in, float* out)
{
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    unsigned int row = 0, end = width; // the row of element i, and where it ends
    for (unsigned int i = thread; i < width * height; i += threads) {
        while (i >= end) {
            ++row;
            end += width;
        }
        out[i] = in[i] + row;
    }
}
