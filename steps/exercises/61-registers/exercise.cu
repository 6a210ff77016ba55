extern "C" __global__ void pairs(const float* in, float* out, unsigned int n)
{
    const unsigned int i = blockIdx.x * 64 + threadIdx.x;
    float x[48];
#pragma unroll
    for (unsigned int k = 0; k < 48; ++k) {
        x[k] = in[k * n + i];
    }
    // TODO: fewer values that wait
    float sum = 0.0f;
#pragma unroll
    for (unsigned int k = 0; k < 24; ++k) {
        sum += x[k] * x[47 - k];
    }
    out[i] = sum;
}
