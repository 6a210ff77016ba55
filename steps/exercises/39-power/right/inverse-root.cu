extern "C" __global__ void raise(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n) return;
    const float x = in[i];
    out[i] = x > 0.0f ? x * x * x * rsqrtf(x) : 0.0f;
}
