extern "C" __global__ void sum(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 32 != 0) return;
    float sum = 0.0f;
    for (unsigned int k = 0; k < 32; ++k) sum += in[i + k];
    out[i / 32] = sum;
}
