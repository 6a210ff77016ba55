extern "C" __global__ void fold(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    float sum = in[i];
    sum += __shfl_xor_sync(0xffffffff, sum, 16);
    if ((i & 16) == 0) out[i / 32 * 16 + (i & 15)] = sum;
}
