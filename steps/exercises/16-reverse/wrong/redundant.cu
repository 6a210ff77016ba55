extern "C" __global__ void reverse(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    __shared__ float tile[128];
    for (unsigned int k = 0; k < 128; ++k) {
        const float x = in[blockIdx.x * 128 + k];
        if (k == threadIdx.x) tile[k] = x;
    }
    __syncthreads();
    out[i] = tile[127 - threadIdx.x];
}
