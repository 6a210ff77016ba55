extern "C" __global__ void fade(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = 0.1f * in[i] + 0.5f;
    }
}
