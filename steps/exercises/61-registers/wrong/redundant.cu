extern "C" __global__ void pairs(const float* in, float* out, unsigned int n)
{
    const unsigned int i = blockIdx.x * 64 + threadIdx.x;
    float own = 0.0f;
#pragma unroll 1
    for (unsigned int column = i / 8 * 8; column < i / 8 * 8 + 8; ++column) {
        float sum = 0.0f;
#pragma unroll 1
        for (unsigned int k = 0; k < 24; ++k) sum += in[k * n + column] * in[(47 - k) * n + column];
        own = column == i ? sum : own;
    }
    out[i] = own;
}
