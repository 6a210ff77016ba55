// Nothing is collected: every thread computes, and most of them in vain.
// says: instructions issued by warps
__device__ float expensive(float x)
{
    for (int round = 0; round < 32; ++round) {
        x = x / (1.0f + x) + x;
    }
    return x;
}

extern "C" __global__ void process(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) {
        const float result = expensive(in[i]);
        out[i] = in[i] > 0.9f ? result : 0.0f;
    }
}
