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
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const float x = in[i];
    out[i] = rounds(x < 0.5f ? x + 0.5f : 1.5f - x);
}
