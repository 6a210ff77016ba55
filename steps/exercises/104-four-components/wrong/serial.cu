// One lane of each warp does all columns of its warp.
// says: idle
#define TAPS 16
#define BEFORE 7

__constant__ float taps[2][TAPS];

extern "C" __global__ void resample(int n, const float4* pixels, float4* bands)
{
    const int rows = n + n % 2, first = blockIdx.x * blockDim.x, row = threadIdx.y + blockIdx.y * blockDim.y;
    if (threadIdx.x > 0 || row >= rows / 2) return;
    for (int column = first; column < first + (int)blockDim.x && column < n; column++) {
        float4 low = make_float4(0, 0, 0, 0), high = low;
        for (int k = 0; k < TAPS; k++) {
            const float4 x = pixels[(2 * row + k + TAPS * rows - BEFORE) % rows * n + column];
            low.x += taps[0][k] * x.x, low.y += taps[0][k] * x.y, low.z += taps[0][k] * x.z, low.w += taps[0][k] * x.w;
            high.x += taps[1][k] * x.x, high.y += taps[1][k] * x.y, high.z += taps[1][k] * x.z, high.w += taps[1][k] * x.w;
        }
        bands[row * n + column] = low;
        bands[(row + rows / 2) * n + column] = high;
    }
}
