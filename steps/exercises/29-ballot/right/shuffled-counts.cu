extern "C" __global__ void count_large(const float* in, unsigned int* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    unsigned int count = in[i] > 0.5f;
    count += __shfl_xor_sync(0xffffffff, count, 1);
    count += __shfl_xor_sync(0xffffffff, count, 2);
    count += __shfl_xor_sync(0xffffffff, count, 4);
    count += __shfl_xor_sync(0xffffffff, count, 8);
    count += __shfl_xor_sync(0xffffffff, count, 16);
    if (i % 32 == 0) out[i / 32] = count;
}
