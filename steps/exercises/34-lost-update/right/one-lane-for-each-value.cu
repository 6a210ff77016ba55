extern "C" __global__ void count_values(unsigned int n, const unsigned int* in, unsigned int* counts)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    const unsigned int value = i < n ? in[i] % 16 : 16;
    const unsigned int lane = threadIdx.x % 32;
    for (unsigned int k = 0; k < 16; ++k) {
        const unsigned int votes = __ballot_sync(0xffffffff, value == k);
        if (lane == k && votes != 0) atomicAdd(&counts[k], __popc(votes));
    }
}
