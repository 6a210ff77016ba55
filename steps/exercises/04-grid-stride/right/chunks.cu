// Each thread has neighbouring elements.
extern "C" __global__ void triple(unsigned int n, const float* in, float* out)
{
    const unsigned int threads = gridDim.x * blockDim.x, each = (n + threads - 1) / threads;
    const unsigned int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (unsigned int k = 0; k < each; ++k) {
        if (first + k < n) out[first + k] = 3 * in[first + k];
    }
}
