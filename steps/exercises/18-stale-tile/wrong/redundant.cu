extern "C" __global__ void distances(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    __shared__ float tile[64];
    const float own = in[i];
    float sum = 0.0f;
    for (unsigned int first = 0; first < n; first += 64) {
        for (unsigned int k = 0; k < 64; ++k) {
            const float x = ((const volatile float*)in)[first + k];
            if (k == threadIdx.x) tile[k] = x;
        }
        __syncthreads();
        for (unsigned int k = 0; k < 64; ++k) sum += fabsf(tile[k] - own);
        __syncthreads();
    }
    out[i] = sum;
}
