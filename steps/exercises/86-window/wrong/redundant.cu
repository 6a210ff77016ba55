// Every number comes from the tile once for each result.
// says: shared requests
#define TAPS 32
#define RESULTS 1024 // of a block of 256 threads

__constant__ float f[TAPS];

extern "C" __global__ void filter(int n, float* x, float* y)
{
    __shared__ float tile[RESULTS + TAPS];
    const int begin = blockIdx.x * RESULTS;
    for (int k = threadIdx.x; k < RESULTS + TAPS; k += 256) {
        tile[k] = begin + k < n + TAPS - 1 ? x[begin + k] : 0.0f;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < RESULTS && begin + i < n; i += 256) {
        float sum = 0.0f;
        for (int k = 0; k < TAPS; k++) {
            sum = fmaf(tile[i + k], f[k], sum);
        }
        y[begin + i] = sum;
    }
}
