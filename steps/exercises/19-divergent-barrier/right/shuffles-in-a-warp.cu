extern "C" __global__ void scan(const float* in, float* out)
{
    __shared__ float sums[4];
    const unsigned int t = threadIdx.x, lane = t % 32, warp = t / 32;
    float sum = in[blockIdx.x * 128 + t];
    for (unsigned int s = 1; s < 32; s *= 2) {
        const float other = __shfl_up_sync(0xffffffff, sum, s);
        if (lane >= s) sum += other;
    }
    if (lane == 31) sums[warp] = sum;
    __syncthreads();
    for (unsigned int k = 0; k < warp; ++k) sum += sums[k];
    out[blockIdx.x * 128 + t] = sum;
}
