extern "C" __global__ void scan(const float* in, float* out)
{
    __shared__ float tile[128];
    const unsigned int t = threadIdx.x;
    float sum = in[blockIdx.x * 128 + t];
    for (unsigned int s = 1; s < 128; s *= 2) {
        tile[t] = sum;
        __syncthreads();
        if (t >= s) sum += tile[t - s];
        __syncthreads();
    }
    out[blockIdx.x * 128 + t] = sum;
}
