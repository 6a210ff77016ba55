// All results are zero until the barrier.
__device__ float expensive(float x)
{
    for (int round = 0; round < 32; ++round) {
        x = x / (1.0f + x) + x;
    }
    return x;
}

extern "C" __global__ void process(unsigned int n, const float* in, float* out)
{
    __shared__ unsigned int found[128], count;
    const unsigned int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) {
        out[i] = 0.0f;
    }
    if (threadIdx.x == 0) {
        count = 0;
    }
    __syncthreads();
    if (i < n && in[i] > 0.9f) {
        found[atomicAdd(&count, 1)] = i;
    }
    __syncthreads();
    if (threadIdx.x < count) {
        out[found[threadIdx.x]] = expensive(in[found[threadIdx.x]]);
    }
}
