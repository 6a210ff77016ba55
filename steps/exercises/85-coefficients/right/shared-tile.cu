// The numbers of a block come by way of shared memory as well.
#define TAPS 32

__constant__ float f[TAPS];

extern "C" __global__ void filter(int n, float* x, float* y)
{
    __shared__ float tile[1024 + TAPS];
    const int first = blockIdx.x * blockDim.x, i = first + threadIdx.x;
    for (int k = threadIdx.x; k < blockDim.x + TAPS; k += blockDim.x) {
        tile[k] = first + k < n + TAPS - 1 ? x[first + k] : 0.0f;
    }
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < TAPS; k++) {
        sum = fmaf(tile[threadIdx.x + k], f[k], sum);
    }
    if (i < n) {
        y[i] = sum;
    }
}
