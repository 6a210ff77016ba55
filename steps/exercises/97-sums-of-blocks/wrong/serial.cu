// The first launch scans everything in one thread.
extern "C" __global__ void scan(unsigned int n, const unsigned int* in, unsigned int* out, unsigned int* sums)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        unsigned int sum = 0;
        for (unsigned int i = 0; i < n; ++i) {
            sum += in[i];
            out[i] = sum;
        }
    }
}

extern "C" __global__ void add(unsigned int n, unsigned int* out, const unsigned int* sums)
{
}
