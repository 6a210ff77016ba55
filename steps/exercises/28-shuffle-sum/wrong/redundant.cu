extern "C" __global__ void sum(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (unsigned int k = 0; k < 32; ++k) sum += in[i / 32 * 32 + k];
    if (i % 32 == 0) out[i / 32] = sum;
}
