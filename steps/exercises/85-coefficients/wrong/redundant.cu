// Two warps compute each result, and one of them stores it.
// says: global requests
#define TAPS 32

__constant__ float f[TAPS];

extern "C" __global__ void filter(int n, float* x, float* y)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    for (int other = 0; other < 2; other++) {
        const int at = other == 0 ? i ^ 32 : i;
        float sum = 0.0f;
        for (int k = 0; k < TAPS && at < n; k++) {
            sum = fmaf(((volatile float*)x)[at + k], f[k], sum);
        }
        if (other == 1 && i < n) {
            y[i] = sum;
        }
    }
}
