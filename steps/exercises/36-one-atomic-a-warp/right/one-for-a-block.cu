extern "C" __global__ void count_large(const float* in, unsigned int* count)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    const int large = __syncthreads_count(in[i] > 0.5f);
    if (threadIdx.x == 0) atomicAdd(count, (unsigned int)large);
}
