#define BINS 256

extern "C" __global__ void clear(unsigned int* bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(unsigned int n, const unsigned char* in, unsigned int* bins)
{
    __shared__ unsigned int own[BINS];
    for (unsigned int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        own[bin] = 0;
    }
    __syncthreads(); // the bins are empty
    const unsigned int threads = gridDim.x * blockDim.x;
    for (unsigned int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += threads) {
        atomicAdd(&own[in[n - 1 - i]], 1u);
    }
    __syncthreads(); // the block has counted
    for (unsigned int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        atomicAdd(&bins[bin], own[bin]);
    }
}
