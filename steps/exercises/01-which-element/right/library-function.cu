extern "C" __global__ void square(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = powf(in[i], 2.0f);
}
