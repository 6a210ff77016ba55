extern "C" __global__ void lengths(unsigned int n, const float* in, float* out)
{
    __shared__ float4 tile4[96];
    const float* const tile = (const float*)tile4;
    const unsigned int t = threadIdx.x, i = blockIdx.x * 128 + t, first = 384 * blockIdx.x;
    if (t < 96 && first + 4 * t + 4 <= 3 * n) {
        tile4[t] = *(const float4*)(in + first + 4 * t);
    } else if (t < 96) {
        for (unsigned int k = 4 * t; first + k < 3 * n && k < 4 * t + 4; ++k) {
            ((float*)tile4)[k] = in[first + k];
        }
    }
    __syncthreads();
    if (i < n) {
        out[i] = norm3df(tile[3 * t], tile[3 * t + 1], tile[3 * t + 2]);
    }
}
