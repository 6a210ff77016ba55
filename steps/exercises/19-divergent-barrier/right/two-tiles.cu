extern "C" __global__ void scan(const float* in, float* out)
{
    __shared__ float tiles[2][128];
    const unsigned int t = threadIdx.x;
    unsigned int now = 0;
    tiles[now][t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (unsigned int s = 1; s < 128; s *= 2, now ^= 1) {
        tiles[now ^ 1][t] = tiles[now][t] + (t >= s ? tiles[now][t - s] : 0.0f);
        __syncthreads();
    }
    out[blockIdx.x * 128 + t] = tiles[now][t];
}
