extern "C" __global__ void count_values(unsigned int n, const unsigned int* in, unsigned int* counts)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    __shared__ unsigned int bins[16];
    if (threadIdx.x < 16) bins[threadIdx.x] = 0;
    __syncthreads();
    if (i < n) atomicAdd(&bins[in[i] & 15], 1u);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}
