extern "C" __global__ void sum_rows(const float* in, float* out)
{
    const unsigned int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x & 31;
    float sum = in[row * 32 + 31 - lane];
    for (unsigned int s = 16; s > 0; s /= 2) sum += __shfl_up_sync(0xffffffff, sum, s);
    if (lane == 31) out[row] = sum;
}
