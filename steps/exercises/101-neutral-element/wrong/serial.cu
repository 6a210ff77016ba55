// says: idle
struct Sum {
    static __device__ int nothing() { return 0; }
    static __device__ int of(int a, int b) { return a + b; }
};

struct Most {
    static __device__ int nothing() { return -2147483647 - 1; }
    static __device__ int of(int a, int b) { return max(a, b); }
};

template <class Operation> __device__ void combine(int n, const int* in, int* out)
{
    if (threadIdx.x == 0) {
        int own = Operation::nothing();
        for (int i = blockIdx.x * 32; i < n && i < (int)blockIdx.x * 32 + 32; ++i) {
            own = Operation::of(own, -1000 - in[i]);
        }
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
