template <int COUNT> struct Sum {
    static __device__ float of(const float* in) { return Sum<COUNT / 2>::of(in) + Sum<COUNT / 2>::of(in + COUNT / 2); }
};

template <> struct Sum<1> {
    static __device__ float of(const float* in) { return *in; }
};

extern "C" __global__ void means(unsigned int n, unsigned int count, const float* in, float* out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (int)n) {
        if (count == 4) {
            out[i] = Sum<4>::of(in + i) * 0.25f;
        } else if (count == 8) {
            out[i] = Sum<8>::of(in + i) * 0.125f;
        } else {
            out[i] = Sum<16>::of(in + i) * 0.0625f;
        }
    }
}
