extern "C" __global__ void count_large(const float* in, unsigned int* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int count = in[i] > 0.5f; // TODO: of all lanes of the warp
    if (i % 32 == 0) {
        out[i / 32] = count;
    }
}
