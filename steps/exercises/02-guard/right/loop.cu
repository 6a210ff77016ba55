extern "C" __global__ void square(unsigned int n, const float* in, float* out)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        out[i] = __fmul_rn(in[i], in[i]);
    }
}
