#define UNROLL 8

extern "C" __global__ void polynomial(const float* in, float* out)
{
    if (threadIdx.x != 0) return;
    for (unsigned int t = 0; t < blockDim.x; ++t) {
        float sum = 0.0f;
#pragma unroll
        for (unsigned int k = 0; k < 96; ++k) sum = sum * (t / 32.0f) + in[k];
        out[t] = sum;
    }
}
