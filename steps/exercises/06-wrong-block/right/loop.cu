extern "C" __global__ void negate(unsigned int n, const float* in, float* out)
{
    for (unsigned long long i = threadIdx.x + (unsigned long long)blockIdx.x * blockDim.x; i < n;
         i += (unsigned long long)blockDim.x * gridDim.x) {
        out[i] = in[i] * -1.0f;
    }
}
