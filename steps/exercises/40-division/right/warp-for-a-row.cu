extern "C" __global__ void number_rows(unsigned int width, unsigned int height, const float* in, float* out)
{
    const unsigned int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, warps = gridDim.x * blockDim.x / 32;
    for (unsigned int row = warp; row < height; row += warps) {
        const float number = __uint2float_rn(row);
        for (unsigned int i = row * width + threadIdx.x % 32; i < (row + 1) * width; i += 32) out[i] = number + in[i];
    }
}
