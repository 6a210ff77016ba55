extern "C" __global__ void fold(const float* in, float* out)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const unsigned int all = gridDim.x * blockDim.x;

    for (unsigned int i = 0; i < all; ++i) {
        const unsigned int first = i / blockDim.x * blockDim.x, t = i % blockDim.x;
        out[i] = in[first + blockDim.x - 1 - t] + 2 * in[first + (t + 1) % blockDim.x];
    }
}
