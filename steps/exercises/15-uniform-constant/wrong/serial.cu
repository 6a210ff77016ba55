__constant__ float weights[16];

extern "C" __global__ void filter(const float* in, float* out)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const unsigned int all = gridDim.x * blockDim.x;

    for (unsigned int i = 0; i < all; ++i) {
        float sum = 0.0f;
        for (unsigned int k = 0; k < 16; ++k) sum += weights[k] * in[i + k];
        out[i] = sum;
    }
}
