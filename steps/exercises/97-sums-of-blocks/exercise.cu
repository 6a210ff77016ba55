extern "C" __global__ void scan(unsigned int n, const unsigned int* in, unsigned int* out, unsigned int* sums)
{
    __shared__ unsigned int part[128];
    const unsigned int t = threadIdx.x;
    const unsigned int i = blockIdx.x * 128 + t;
    part[t] = i < n ? in[i] : 0;
    __syncthreads(); // all numbers are there
    for (unsigned int step = 1; step < 128; step *= 2) {
        const unsigned int before = t >= step ? part[t - step] : 0;
        __syncthreads(); // all have read
        part[t] += before;
        __syncthreads(); // all have written
    }
    if (i < n) {
        out[i] = part[t];
    }
    if (t == 127) {
        sums[blockIdx.x] = part[t]; // of the whole block
    }
}

extern "C" __global__ void add(unsigned int n, unsigned int* out, const unsigned int* sums)
{
    const unsigned int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) {
        out[i] += sums[blockIdx.x];
    }
}
