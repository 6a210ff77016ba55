extern "C" __global__ void scan(const float* in, float* out)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const unsigned int all = gridDim.x * blockDim.x;

    float sum = 0.0f;
    for (unsigned int i = 0; i < all; ++i) {
        sum = (i % 32 == 0 ? 0.0f : sum) + in[i];
        out[i] = sum;
    }
}
