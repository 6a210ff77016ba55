extern "C" __global__ void number_rows(unsigned int width, unsigned int height, const float* in, float* out)
{
    const float* from = in + blockIdx.x * width;
    float* to = out + blockIdx.x * width;
    float number = blockIdx.x;
    for (int row = blockIdx.x; row < (int)height; row += gridDim.x) {
        for (int column = threadIdx.x; column < (int)width; column += blockDim.x) to[column] = from[column] + number;
        from += gridDim.x * width;
        to += gridDim.x * width;
        number += gridDim.x;
    }
}
