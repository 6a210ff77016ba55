extern "C" __global__ void sum(const float* in, float* out)
{
    if (threadIdx.x == 0) {
        for (unsigned int lane = 0; lane < 32; lane++) {
            float all = 0.0f;
            for (unsigned int k = 0; k < 8; k++) {
                all += in[blockIdx.x * 256 + k * 32 + 31 - lane];
            }
            out[blockIdx.x * 32 + lane] = all;
        }
    }
}
