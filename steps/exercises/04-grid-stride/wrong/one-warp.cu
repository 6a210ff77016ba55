// says: one of 
extern "C" __global__ void triple(unsigned int n, const float* in, float* out)
{
    if (blockIdx.x == 0 && threadIdx.x < 32) {
        for (unsigned int i = threadIdx.x; i < n; i += 32) {
            out[i] = 3 * in[i];
        }
    }
}
