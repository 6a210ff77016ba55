extern "C" __global__ void sum(unsigned int n, const float* in, float* out)
{
    double sum = 0.0;
    for (unsigned int row = 0; row < n; ++row) sum += in[row * 32 + threadIdx.x];
    out[threadIdx.x] = (float)sum;
}
