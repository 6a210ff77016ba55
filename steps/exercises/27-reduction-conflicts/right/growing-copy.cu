// The sums stay in registers.
extern "C" __global__ void sum(const float* in, float* out)
{
    __shared__ float tile[128];
    const unsigned int t = threadIdx.x;
    float sum = in[blockIdx.x * 128 + t];
    for (unsigned int s = 64; s > 0; s /= 2) {
        tile[t] = sum;
        __syncthreads();
        if (t < s) sum += tile[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = sum;
}
