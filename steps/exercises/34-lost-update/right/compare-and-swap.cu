extern "C" __global__ void count_values(unsigned int n, const unsigned int* in, unsigned int* counts)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n) return;
    unsigned int* count = counts + in[i] % 16;
    unsigned int seen = *(volatile unsigned int*)count, before;
    do {
        before = seen;
        seen = atomicCAS(count, before, before + 1);
    } while (seen != before);
}
