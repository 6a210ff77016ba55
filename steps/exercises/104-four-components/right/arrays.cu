// Arrays of four with the vectors' bits.
#define TAPS 16
#define BEFORE 7

__constant__ float taps[2][TAPS];

extern "C" __global__ void resample(int n, const float4* pixels, float4* bands)
{
    const int rows = n + n % 2;
    const int column = threadIdx.x + blockIdx.x * blockDim.x, row = threadIdx.y + blockIdx.y * blockDim.y;
    if (column >= n || row >= rows / 2) return;
    float low[4] = {0, 0, 0, 0}, high[4] = {0, 0, 0, 0};
    for (int k = 0; k < TAPS; k++) {
        const float4 pixel = pixels[(2 * row + k + TAPS * rows - BEFORE) % rows * n + column];
        const float x[4] = {pixel.x, pixel.y, pixel.z, pixel.w};
        for (int c = 0; c < 4; c++) {
            low[c] += taps[0][k] * x[c];
            high[c] += taps[1][k] * x[c];
        }
    }
    bands[row * n + column] = make_float4(low[0], low[1], low[2], low[3]);
    bands[(row + rows / 2) * n + column] = make_float4(high[0], high[1], high[2], high[3]);
}
