extern "C" __global__ void smooth(unsigned int n, const float* in, float* out)
{
    __shared__ float tile[130];
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned int k = 0; k < 130; ++k) {
        const unsigned int j = blockIdx.x * 128 + k - 1;
        const float x = j < n ? ((const volatile float*)in)[j] : 0.0f;
        if (threadIdx.x == k % 128) tile[k] = x;
    }
    __syncthreads();
    if (i < n) out[i] = (tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2]) / 3;
}
