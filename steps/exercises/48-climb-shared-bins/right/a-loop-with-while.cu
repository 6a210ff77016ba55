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
    unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    while (i < n) {
        const unsigned char value = in[i];
        atomicAdd(own + value, 1u);
        i += threads;
    }
    __syncthreads(); // the block has counted
    for (unsigned int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        atomicAdd(&bins[bin], own[bin]);
    }
}
