#define UNROLL 8

extern "C" __global__ void polynomial(const float* in, float* out)
{
    float own = 0.0f;
#pragma unroll 1
    for (unsigned int t = 0; t < blockDim.x; ++t) {
        const float x = t / 32.0f;
        float sum = 0.0f;
#pragma unroll
        for (unsigned int k = 0; k < 96; ++k) sum = sum * x + in[k];
        own = t == threadIdx.x ? sum : own;
    }
    out[threadIdx.x] = own;
}
