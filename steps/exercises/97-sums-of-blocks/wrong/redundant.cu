// Every thread adds all numbers of its block up to its own.
extern "C" __global__ void scan(unsigned int n, const unsigned int* in, unsigned int* out, unsigned int* sums)
{
    const unsigned int first = blockIdx.x * 128, i = first + threadIdx.x;
    unsigned int own = 0, all = 0;
    for (unsigned int k = first; k < first + 128 && k < n; ++k) {
        const unsigned int x = in[k];
        own += k <= i ? x : 0;
        all += x;
    }
    __syncthreads();
    if (i < n) {
        out[i] = own;
    }
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = all;
    }
}

extern "C" __global__ void add(unsigned int n, unsigned int* out, const unsigned int* sums)
{
    const unsigned int i = blockIdx.x * 128 + threadIdx.x;
    if (blockIdx.x > 0 && i < n) {
        out[i] += sums[blockIdx.x - 1];
    }
}
