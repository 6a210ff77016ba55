#define TAPS 16
#define BEFORE 7

__constant__ float taps[2][TAPS];

__device__ float4 operator*(float weight, float4 x)
{
    return make_float4(weight * x.x, weight * x.y, weight * x.z, weight * x.w);
}

__device__ void operator+=(float4& sum, float4 x)
{
    sum = make_float4(sum.x + x.x, sum.y + x.y, sum.z + x.z, sum.w + x.w);
}

extern "C" __global__ void resample(int n, const float4* pixels, float4* bands)
{
    const int rows = n + n % 2;
    const int column = threadIdx.x + blockIdx.x * blockDim.x, row = threadIdx.y + blockIdx.y * blockDim.y;
    if (column >= n || row >= rows / 2) return;
    float4 band[2] = {};
    int at = (2 * row + TAPS * rows - BEFORE) % rows;
    for (int k = 0; k < TAPS; k++) {
        const float4 x = pixels[at * n + column];
        band[0] += taps[0][k] * x;
        band[1] += taps[1][k] * x;
        at = at + 1 == rows ? 0 : at + 1;
    }
    for (int b = 0; b < 2; b++) {
        bands[(row + b * rows / 2) * n + column] = band[b];
    }
}
