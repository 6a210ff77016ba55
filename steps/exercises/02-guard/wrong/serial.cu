// says: one of 
extern "C" __global__ void square(unsigned int n, const float* in, float* out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (unsigned int i = 0; i < n; ++i) {
            out[i] = in[i] * in[i];
        }
    }
}
