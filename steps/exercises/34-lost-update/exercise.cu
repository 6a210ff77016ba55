extern "C" __global__ void count_values(unsigned int n, const unsigned int* in, unsigned int* counts)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        counts[in[i] % 16] += 1;
    }
}
