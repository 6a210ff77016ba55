extern "C" __global__ void pairs(const float* in, float* out, unsigned int n)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const unsigned int all = gridDim.x * blockDim.x;

    for (unsigned int i = 0; i < n; ++i) {
        float sum = 0.0f;
#pragma unroll 1
        for (unsigned int k = 0; k < 24; ++k) sum += in[k * n + i] * in[(47 - k) * n + i];
        out[i] = sum;
    }
}
