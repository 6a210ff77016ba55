// Each warp adds to the sum itself.
extern "C" __global__ void clear(unsigned int* sum)
{
    *sum = 0;
}

extern "C" __global__ void reduce(unsigned int n, const unsigned int* in, unsigned int* sum)
{
    const unsigned int i = threadIdx.x + blockIdx.x * 512;
    unsigned int own = (i < n ? in[i] : 0) + (i + 256 < n ? in[i + 256] : 0);
    for (int step = 16; step > 0; step /= 2) {
        own += __shfl_xor_sync(0xffffffff, own, step);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(sum, own);
    }
}
