// One thread of each block adds its part.
extern "C" __global__ void clear(unsigned int* sum)
{
    *sum = 0;
}

extern "C" __global__ void reduce(unsigned int n, const unsigned int* in, unsigned int* sum)
{
    const unsigned int first = blockIdx.x * 512;
    if (threadIdx.x == 0) {
        unsigned int own = 0;
        for (unsigned int i = first; i < first + 512 && i < n; i++) {
            own += in[i];
        }
        atomicAdd(sum, own);
    }
}
