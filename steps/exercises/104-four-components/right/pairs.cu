// Two sums of two components each, from one load of four.
#define TAPS 16
#define BEFORE 7

__constant__ float taps[2][TAPS];

extern "C" __global__ void resample(int n, const float4* pixels, float4* bands)
{
    const int rows = n + n % 2;
    const int column = threadIdx.x + blockIdx.x * blockDim.x, row = threadIdx.y + blockIdx.y * blockDim.y;
    if (column < n && row < rows / 2) {
        float2 low[2] = {}, high[2] = {};
#pragma unroll 4
        for (int k = 0; k < TAPS; k++) {
            const float4 x = __ldg(pixels + (2 * row + k + TAPS * rows - BEFORE) % rows * n + column);
            const float2 half[2] = {make_float2(x.x, x.y), make_float2(x.z, x.w)};
#pragma unroll
            for (int h = 0; h < 2; h++) {
                low[h].x = fmaf(taps[0][k], half[h].x, low[h].x);
                low[h].y = fmaf(taps[0][k], half[h].y, low[h].y);
                high[h].x = fmaf(taps[1][k], half[h].x, high[h].x);
                high[h].y = fmaf(taps[1][k], half[h].y, high[h].y);
            }
        }
        bands[row * n + column] = make_float4(low[0].x, low[0].y, low[1].x, low[1].y);
        bands[(row + rows / 2) * n + column] = make_float4(high[0].x, high[0].y, high[1].x, high[1].y);
    }
}
