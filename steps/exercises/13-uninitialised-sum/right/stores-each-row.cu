extern "C" __global__ void sum_columns(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    out[i] = 0;
    for (unsigned int row = 0; row < 8; ++row) out[i] += in[row * n + i];
}
