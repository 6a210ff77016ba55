struct Sum {
    static __device__ int nothing() { return 0; }
    static __device__ int of(int a, int b) { return a + b; }
};

struct Most {
    static __device__ int nothing() { return (int)0x80000000; }
    static __device__ int of(int a, int b) { return max(a, b); }
};
template <class Operation> __device__ void combine(int n, const int* in, int* out)
{
    __shared__ int part[32];
    const unsigned int t = threadIdx.x, i = blockIdx.x * 32 + t;
    part[t] = i < (unsigned int)n ? -1000 - in[i] : Operation::nothing();
    __syncwarp();
    for (unsigned int step = 16; step > 0; step /= 2) {
        if (t < step) {
            part[t] = Operation::of(part[t], part[t + step]);
        }
        __syncwarp();
    }
    if (t == 0) {
        out[blockIdx.x] = part[0];
    }
}

extern "C" __global__ void sum(int n, const int* in, int* out)
{
    combine<Sum>(n, in, out);
}

extern "C" __global__ void most(int n, const int* in, int* out)
{
    combine<Most>(n, in, out);
}
