extern "C" __global__ void count(unsigned int n, const unsigned int* keys, unsigned int* counts)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&counts[keys[i] % 8], 1u); // TODO: once for all lanes with this key
    }
}
