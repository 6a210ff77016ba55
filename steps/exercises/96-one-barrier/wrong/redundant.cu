// Every lane adds what its whole warp has.
extern "C" __global__ void clear(unsigned int* sum)
{
    *sum = 0;
}

extern "C" __global__ void reduce(unsigned int n, const unsigned int* in, unsigned int* sum)
{
    const unsigned int t = threadIdx.x, first = blockIdx.x * 512 + t / 32 * 64;
    unsigned int own = 0;
    for (unsigned int i = first; i < first + 64 && i < n; i++) {
        own += in[i];
    }
    if (t % 32 == 0) {
        atomicAdd(sum, own);
    }
}
