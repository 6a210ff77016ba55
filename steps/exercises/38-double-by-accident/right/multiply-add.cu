extern "C" __global__ void fade(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) out[i] = fmaf(in[i], 0.1f, 0.5f);
}
