__constant__ float scale[4], offset[4];

extern "C" __global__ void adjust(const float* in, float* out)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const unsigned int all = gridDim.x * blockDim.x;

    for (unsigned int i = 0; i < all; ++i) out[i] = scale[i % 4] * in[i] + offset[i % 4];
}
