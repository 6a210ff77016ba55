extern "C" __global__ void sum(const float* in, volatile float* part, unsigned int* done, float* out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        float all = 0.0f;
        for (unsigned int i = 0; i < gridDim.x * 256; i++) {
            all += in[i];
        }
        *out = all;
    }
}
