// The tile holds squares already.
extern "C" __global__ void lengths(unsigned int n, const float* in, float* out)
{
    __shared__ float tile[384];
    const int t = threadIdx.x, i = blockIdx.x * 128 + t;
    const float* const from = in + 384 * blockIdx.x;
    const int count = min(384, 3 * ((int)n - (int)blockIdx.x * 128));
    for (int k = t; k < count; k += 128) {
        tile[k] = from[k] * from[k];
    }
    __syncthreads();
    if (i < (int)n) {
        out[i] = sqrtf((tile[3 * t] + tile[3 * t + 1]) + tile[3 * t + 2]);
    }
}
