extern "C" __global__ void iterate(unsigned int n, const float* in, float* out)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const unsigned int all = gridDim.x * blockDim.x;

    for (unsigned int i = 0; i < n; ++i) {
        float x = in[i];
        for (unsigned int k = 0; k < n / 8; ++k) x = i % 2 == 0 ? 0.5f * x + 0.25f : sqrtf(x + 0.5f);
        out[i] = x;
    }
}
