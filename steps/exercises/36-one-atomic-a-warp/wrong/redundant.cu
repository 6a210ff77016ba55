extern "C" __global__ void count_large(const float* in, unsigned int* count)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    bool is_large = false;
    for (unsigned int k = 0; k < 128; ++k) {
        const float x = ((const volatile float*)in)[blockIdx.x * 128 + k];
        if (k == threadIdx.x) is_large = x > 0.5f;
    }
    const unsigned int votes = __ballot_sync(0xffffffff, is_large);
    if (i % 32 == 0) atomicAdd(count, __popc(votes));
}
