#define UNROLL 16

extern "C" __global__ void polynomial(const float* in, float* out)
{
    const float x = threadIdx.x / 32.0f;
    float sum = 0.0f;
#pragma unroll UNROLL
    for (unsigned int k = 0; k < 96; ++k) {
        sum = fmaf(sum, x, *(in + k));
    }
    out[threadIdx.x] = sum;
}
