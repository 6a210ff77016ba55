extern "C" __global__ void count_large(const float* in, unsigned int* count)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    const unsigned int small = __ballot_sync(0xffffffff, !(in[i] > 0.5f));
    if ((i & 31) == 31) atomicSub(count, __popc(small) - 32u);
}
