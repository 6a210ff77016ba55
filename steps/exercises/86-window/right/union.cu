// The window is nine vectors and 36 numbers at a time.
#define TAPS 32
#define RESULTS 1024 // of a block of 256 threads

__constant__ float f[TAPS];

union Window {
    float4 fours[9];
    float ones[36];
};

extern "C" __global__ void filter(int n, float* x, float* y)
{
    __shared__ float4 all[(RESULTS + TAPS) / 4];
    float* const tile = (float*)all;
    const int begin = blockIdx.x * RESULTS, i = begin + 4 * threadIdx.x;
    for (int k = threadIdx.x; k < RESULTS + TAPS; k += 256) {
        tile[k] = begin + k < n + TAPS - 1 ? x[begin + k] : 0.0f;
    }
    __syncthreads();
    Window window;
#pragma unroll
    for (int k = 0; k < 9; k++) {
        window.fours[k] = all[threadIdx.x + k];
    }
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll
    for (int k = 0; k < TAPS; k++) {
        sum.x = fmaf(window.ones[k], f[k], sum.x);
        sum.y = fmaf(window.ones[k + 1], f[k], sum.y);
        sum.z = fmaf(window.ones[k + 2], f[k], sum.z);
        sum.w = fmaf(window.ones[k + 3], f[k], sum.w);
    }
    const float sums[4] = {sum.x, sum.y, sum.z, sum.w};
#pragma unroll
    for (int j = 0; j < 4; j++) {
        if (i + j < n) {
            y[i + j] = sums[j];
        }
    }
}
