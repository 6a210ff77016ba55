// Four coefficients at a time.
#define TAPS 32

__constant__ float4 f[TAPS / 4];

extern "C" __global__ void filter(int n, float* x, float* y)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < (unsigned int)n) {
        float sum = 0.0f;
        for (int k = 0; k < TAPS / 4; k++) {
            const float4 four = f[k];
            sum = fmaf(x[i + 4 * k], four.x, sum);
            sum = fmaf(x[i + 4 * k + 1], four.y, sum);
            sum = fmaf(x[i + 4 * k + 2], four.z, sum);
            sum = fmaf(x[i + 4 * k + 3], four.w, sum);
        }
        y[i] = sum;
    }
}
