extern "C" __global__ void count_large(const float* in, unsigned int* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int count = 0;
    for (unsigned int k = 0; k < 32; ++k) count += in[i / 32 * 32 + k] > 0.5f;
    if (i % 32 == 0) out[i / 32] = count;
}
