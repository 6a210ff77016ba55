extern "C" __global__ void sum_columns(unsigned int n, const float* in, float* out)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const unsigned int all = gridDim.x * blockDim.x;

    for (unsigned int i = 0; i < n; ++i) {
        float sum = 0.0f;
        for (unsigned int row = 0; row < 8; ++row) sum += in[row * n + i];
        out[i] = sum;
    }
}
