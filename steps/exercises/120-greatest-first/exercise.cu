#define LEAST -3.402823466e38f // no element is less, but minus infinity
#define ALL 0xffffffff // lanes

struct Max {
    __device__ static float of(float a, float b) { return fmaxf(a, b); }
};

struct Sum {
    __device__ static float of(float a, float b) { return a + b; }
};

// The maximum or the sum of the values of a warp, in all its lanes.
template <typename Of> __device__ float of_warp(float own)
{
    for (int step = 16; step > 0; step /= 2) {
        own = Of::of(own, __shfl_xor_sync(ALL, own, step));
    }
    return own;
}

// The same of a block, in all its threads. Values of threads that have none are `neutral`.
template <typename Of> __device__ float of_block(float own, float neutral)
{
    __shared__ float part[32]; // of each warp
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    own = of_warp<Of>(own);
    if (lane == 0) {
        part[warp] = own;
    }
    __syncthreads(); // each warp's part is there
    return of_warp<Of>(lane < blockDim.x / 32 ? part[lane] : neutral);
}

extern "C" __global__ void softmax(int rows, int columns, const float *x, float *y)
{
    const float *const from = x + (size_t)blockIdx.x * columns;
    float *const to = y + (size_t)blockIdx.x * columns;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        sum += expf(from[i]);
    }
    sum = of_block<Sum>(sum, 0.0f);
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        to[i] = expf(from[i]) / sum;
    }
}
