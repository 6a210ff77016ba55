extern "C" __global__ void sum(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    float sum = in[i];
    for (int s = 8; s > 0; s >>= 1) sum += __shfl_down_sync(0xffffffff, sum, s, 16);
    sum += __shfl_sync(0xffffffff, sum, 16);
    if ((threadIdx.x & 31) == 0) out[i >> 5] = sum;
}
