// says: one of 
// Each thread doubles 32 elements.
extern "C" __global__ void twice(const float* in, float* out)
{
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int threads = gridDim.x * blockDim.x;
    if (thread == 0) {
        for (unsigned int i = 0; i < 32 * threads; i += 8) {
            for (unsigned int k = i; k < i + 8; ++k) {
                out[k] = 2 * in[k];
            }
        }
    }
}
