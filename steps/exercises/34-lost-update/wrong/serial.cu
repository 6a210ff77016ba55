extern "C" __global__ void count_values(unsigned int n, const unsigned int* in, unsigned int* counts)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const unsigned int all = gridDim.x * blockDim.x;

    for (unsigned int i = 0; i < n; ++i) counts[in[i] % 16] += 1;
}
