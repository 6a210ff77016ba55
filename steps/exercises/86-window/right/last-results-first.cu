#define TAPS 32
#define RESULTS 1024 // of a block of 256 threads

__constant__ float f[TAPS];

extern "C" __global__ void filter(int n, float* x, float* y)
{
    __shared__ float4 tile4[(RESULTS + TAPS) / 4];
    float* const tile = (float*)tile4;
    const int begin = blockIdx.x * RESULTS;
    for (int k = threadIdx.x; k < RESULTS + TAPS; k += 256) {
        tile[k] = begin + k < n + TAPS - 1 ? x[begin + k] : 0.0f;
    }
    __syncthreads();
    const int i = begin + 4 * threadIdx.x;
    float window[TAPS + 4];
#pragma unroll
    for (int k = 0; k < TAPS / 4 + 1; k++) {
        const float4 four = tile4[threadIdx.x + k];
        window[4 * k] = four.x, window[4 * k + 1] = four.y, window[4 * k + 2] = four.z, window[4 * k + 3] = four.w;
    }
#pragma unroll
    for (int j = 3; j >= 0; j--) {
        float sum = 0.0f;
#pragma unroll
        for (int k = 0; k < TAPS; k++) {
            sum = fmaf(window[k + j], f[k], sum);
        }
        if (i + j < n) {
            y[i + j] = sum;
        }
    }
}
