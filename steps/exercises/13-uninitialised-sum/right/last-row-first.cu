extern "C" __global__ void sum_columns(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    const float* x = in + 7 * n + i;
    float sum = *x;
    while (x != in + i) sum += *(x -= n);
    out[i] = sum;
}
