extern "C" __global__ void sum(const float* in, float* out)
{
    __shared__ float tile[128];
    const unsigned int t = threadIdx.x;
    tile[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (unsigned int s = 1; s < 128; s *= 2) {
        const unsigned int at = 2 * s * t; // TODO: other pairs
        if (at < 128) {
            tile[at] += tile[at + s];
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = tile[0];
    }
}
