// says: one of 
__device__ float expensive(float x)
{
    for (int round = 0; round < 32; ++round) {
        x = x / (1.0f + x) + x;
    }
    return x;
}

extern "C" __global__ void process(unsigned int n, const float* in, float* out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (unsigned int i = 0; i < n; ++i) {
            out[i] = in[i] > 0.9f ? expensive(in[i]) : 0.0f;
        }
    }
}
