extern "C" __global__ void negate(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ((unsigned int*)out)[i] = ((const unsigned int*)in)[i] ^ 0x80000000u;
}
