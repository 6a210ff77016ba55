#define BINS 256

extern "C" __global__ void clear(unsigned int* bins)
{
    bins[threadIdx.x] = 0;
}

#define THREADS 256 // of a block
#define WARPS (THREADS / 32)

extern "C" __global__ void histogram(unsigned int n, const unsigned char* in, unsigned int* bins)
{
    __shared__ unsigned int own[WARPS * BINS];
    for (unsigned int bin = threadIdx.x; bin < WARPS * BINS; bin += THREADS) {
        own[bin] = 0;
    }
    __syncthreads(); // the bins are empty
    const unsigned int warp = threadIdx.x / 32;
    const unsigned int threads = gridDim.x * THREADS;
    for (unsigned int i = threadIdx.x + blockIdx.x * THREADS; i < n; i += threads) {
        atomicAdd(&own[warp * BINS + in[i]], 1u);
    }
    __syncthreads(); // the block has counted
    for (unsigned int bin = threadIdx.x; bin < BINS; bin += THREADS) {
        unsigned int count = 0;
        for (unsigned int w = 0; w < WARPS; w++) {
            count += own[w * BINS + bin];
        }
        atomicAdd(&bins[bin], count);
    }
}
