extern "C" __global__ void sum(const float* in, volatile float* part, unsigned int* done, float* out)
{
    __shared__ float tile[256];
    __shared__ bool last;
    const unsigned int t = threadIdx.x;
    tile[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (unsigned int s = 128; s > 0; s /= 2) {
        if (t < s) {
            tile[t] += tile[t + s];
        }
        __syncthreads();
    }
    if (t == 0) {
        part[blockIdx.x] = tile[0];
        __threadfence(); // the sum is visible before the count
        last = atomicInc(done, gridDim.x) + 1 == gridDim.x;
    }
    __syncthreads();
    if (last && t == 0) {
        __threadfence(); // the count is read before the sums
        float all = 0.0f;
        for (unsigned int b = 0; b < gridDim.x; b++) {
            all += part[b];
        }
        *out = all;
    }
}
