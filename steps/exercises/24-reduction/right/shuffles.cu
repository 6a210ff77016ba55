extern "C" __global__ void sum(const float* in, float* out)
{
    __shared__ float sums[4];
    const unsigned int t = threadIdx.x;
    float sum = in[blockIdx.x * 128 + t];
    for (unsigned int s = 16; s > 0; s /= 2) sum += __shfl_xor_sync(0xffffffff, sum, s);
    if (t % 32 == 0) sums[t / 32] = sum;
    __syncthreads();
    if (t == 0) out[blockIdx.x] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
}
