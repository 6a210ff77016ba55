extern "C" __global__ void sum_rows(const float* in, float* out)
{
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = in[thread];
    for (unsigned int s = 1; s < 32; s *= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (thread % 32 == 0) out[thread / 32] = sum;
}
