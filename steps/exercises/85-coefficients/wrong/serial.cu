// says: one of 
#define TAPS 32

__constant__ float f[TAPS];

extern "C" __global__ void filter(int n, float* x, float* y)
{
    if (blockIdx.x > 0 || threadIdx.x > 0) {
        return;
    }
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int k = 0; k < TAPS; k++) {
            sum = fmaf(x[i + k], f[k], sum);
        }
        y[i] = sum;
    }
}
