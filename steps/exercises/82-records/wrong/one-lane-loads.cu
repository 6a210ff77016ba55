// One lane brings the numbers of its warp.
extern "C" __global__ void lengths(unsigned int n, const float* in, float* out)
{
    __shared__ float tile[3 * 128];
    const unsigned int t = threadIdx.x, i = blockIdx.x * 128 + t, first = 384 * blockIdx.x;
    if (t % 32 == 0) {
        for (unsigned int k = 3 * t; k < 3 * t + 96 && first + k < 3 * n; ++k) {
            tile[k] = in[first + k];
        }
    }
    __syncthreads();
    if (i < n) {
        out[i] = sqrtf(tile[3 * t] * tile[3 * t] + tile[3 * t + 1] * tile[3 * t + 1] + tile[3 * t + 2] * tile[3 * t + 2]);
    }
}
