extern "C" __global__ void count_large(const float* in, unsigned int* out)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const unsigned int all = gridDim.x * blockDim.x;

    for (unsigned int row = 0; row < all / 32; ++row) {
        unsigned int count = 0;
        for (unsigned int k = 0; k < 32; ++k) count += in[row * 32 + k] > 0.5f;
        out[row] = count;
    }
}
