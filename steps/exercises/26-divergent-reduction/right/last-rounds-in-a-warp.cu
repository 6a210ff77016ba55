extern "C" __global__ void sum(const float* in, float* out)
{
    __shared__ volatile float tile[128];
    const unsigned int t = threadIdx.x;
    tile[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    if (t < 64) tile[t] = tile[t] + tile[t + 64];
    __syncthreads();
    if (t < 32) {
        float sum = tile[t] + tile[t + 32];
        for (unsigned int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
        if (t == 0) out[blockIdx.x] = sum;
    }
}
