extern "C" __global__ void process(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = in[i];
        if (x < 0.5f) {
            x = x + 0.5f;
        } else {
            x = 1.5f - x;
        }
        for (int round = 0; round < 16; ++round) {
            x += 0.25f / (x + 1.0f);
        }
        out[i] = x;
    }
}
