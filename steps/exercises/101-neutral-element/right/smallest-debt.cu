// The largest of the negated numbers is the smallest, negated.
__device__ unsigned int smaller(unsigned int a, unsigned int b)
{
    return a < b ? a : b;
}

extern "C" __global__ void sum(int n, const int* in, int* out)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    int own = i < n ? in[i] + 1000 : 0;
    for (int step = 16; step > 0; step /= 2) {
        own += __shfl_down_sync(0xffffffff, own, step);
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = -own;
    }
}

extern "C" __global__ void most(int n, const int* in, int* out)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    unsigned int own = i < n ? in[i] + 1000 : 0xffffffff;
    for (int step = 16; step > 0; step /= 2) {
        own = smaller(own, __shfl_down_sync(0xffffffff, own, step));
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = -(int)own;
    }
}
