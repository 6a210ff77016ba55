extern "C" __global__ void reverse(const float* in, float* out)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const unsigned int all = gridDim.x * blockDim.x;

    for (unsigned int i = 0; i < all; ++i) out[i] = in[i / 128 * 128 + 127 - i % 128];
}
