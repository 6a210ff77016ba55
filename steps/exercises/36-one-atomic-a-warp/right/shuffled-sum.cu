extern "C" __global__ void count_large(const float* in, unsigned int* count)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    unsigned int sum = in[i] > 0.5f ? 1 : 0;
    for (unsigned int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(count, sum);
}
