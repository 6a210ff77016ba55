extern "C" __global__ void distances(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    __shared__ float tile[64];
    const float own = in[i];
    float sum = 0.0f;
    for (unsigned int k = 0; k < gridDim.x; ++k) {
        const unsigned int block = (blockIdx.x + k) % gridDim.x;
        __syncthreads();
        tile[threadIdx.x] = in[block * 64 + threadIdx.x];
        __syncthreads();
        for (unsigned int t = 0; t < 64; ++t) sum += fabsf(own - tile[t]);
    }
    out[i] = sum;
}
