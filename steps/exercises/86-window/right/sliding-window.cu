// Four numbers at a time: a window of eight slides along.
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
    float sum[4] = {};
    float4 left = tile4[threadIdx.x];
#pragma unroll
    for (int k = 0; k < TAPS; k += 4) {
        const float4 right = tile4[threadIdx.x + k / 4 + 1];
        const float window[8] = {left.x, left.y, left.z, left.w, right.x, right.y, right.z, right.w};
#pragma unroll
        for (int l = 0; l < 4; l++) {
#pragma unroll
            for (int j = 0; j < 4; j++) {
                sum[j] = fmaf(window[l + j], f[k + l], sum[j]);
            }
        }
        left = right;
    }
#pragma unroll
    for (int j = 0; j < 4; j++) {
        if (i + j < n) {
            y[i + j] = sum[j];
        }
    }
}
