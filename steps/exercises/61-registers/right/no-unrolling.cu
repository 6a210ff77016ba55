extern "C" __global__ void pairs(const float* in, float* out, unsigned int n)
{
    const unsigned int i = blockIdx.x * 64 + threadIdx.x;
    float sum = 0.0f;
#pragma unroll 1
    for (unsigned int k = 0; k < 24; ++k) sum = fmaf(in[k * n + i], in[(47 - k) * n + i], sum);
    out[i] = sum;
}
