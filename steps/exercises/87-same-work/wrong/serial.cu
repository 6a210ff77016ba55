__device__ float rounds(float x)
{
#pragma unroll 1
    for (int round = 0; round < 16; ++round) {
        x += 0.25f / (x + 1.0f);
    }
    return x;
}

extern "C" __global__ void process(unsigned int n, const float* in, float* out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (unsigned int i = 0; i < n; ++i) {
            const float x = in[i];
            out[i] = rounds(x < 0.5f ? x + 0.5f : 1.5f - x);
        }
    }
}
