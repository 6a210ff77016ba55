// says: one of 
// Each thread doubles 32 elements.
extern "C" __global__ void twice(const float* in, float* out)
{
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int threads = gridDim.x * blockDim.x;
    if (thread < 32) {
        for (unsigned int i = thread; i < 32 * threads; i += 32) {
            out[i] = 2 * in[i];
        }
    }
}
