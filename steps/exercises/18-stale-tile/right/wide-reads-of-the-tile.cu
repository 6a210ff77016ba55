extern "C" __global__ void distances(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    __shared__ float4 tile[16];
    const float own = in[i];
    float sum = 0.0f;
    for (unsigned int first = 0; first < n; first += 64) {
        ((float*)tile)[threadIdx.x] = in[first + threadIdx.x];
        __syncthreads();
        for (unsigned int k = 0; k < 16; ++k) {
            const float4 x = tile[k];
            sum += (fabsf(x.x - own) + fabsf(x.y - own)) + (fabsf(x.z - own) + fabsf(x.w - own));
        }
        __syncthreads();
    }
    out[i] = sum;
}
