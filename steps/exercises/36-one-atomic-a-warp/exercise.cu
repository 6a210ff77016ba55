extern "C" __global__ void count_large(const float* in, unsigned int* count)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 0.5f) { // TODO: once for the warp
        atomicAdd(count, 1u);
    }
}
