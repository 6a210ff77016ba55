// says: one of 
extern "C" __global__ void lengths(unsigned int n, const float* in, float* out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (unsigned int i = 0; i < n; ++i) {
            const float x = in[3 * i], y = in[3 * i + 1], z = in[3 * i + 2];
            out[i] = sqrtf(x * x + y * y + z * z);
        }
    }
}
