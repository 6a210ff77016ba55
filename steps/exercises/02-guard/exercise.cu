extern "C" __global__ void square(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO: not every thread has an element
    out[i] = in[i] * in[i];
}
