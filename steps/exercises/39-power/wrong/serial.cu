extern "C" __global__ void raise(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 32 != 0) return;
    for (unsigned int k = i; k < i + 32 && k < n; ++k) out[k] = in[k] * in[k] * sqrtf(in[k]);
}
