extern "C" __global__ void square(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = in[i] * in[i];
}
