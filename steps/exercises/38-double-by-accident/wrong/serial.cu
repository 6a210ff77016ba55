extern "C" __global__ void fade(unsigned int n, const float* in, float* out)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const unsigned int all = gridDim.x * blockDim.x;

    for (unsigned int i = 0; i < n; ++i) out[i] = 0.1f * in[i] + 0.5f;
}
