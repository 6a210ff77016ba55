#define TAPS 32

__constant__ float f[TAPS];

extern "C" __global__ void filter(int n, float* x, float* y)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) {
        return;
    }
    const float* __restrict__ from = x + i;
    float sum = 0.0f;
#pragma unroll 8
    for (int k = 0; k < TAPS; ++k, ++from) {
        sum = fmaf(*from, f[k], sum);
    }
    y[i] = sum;
}
