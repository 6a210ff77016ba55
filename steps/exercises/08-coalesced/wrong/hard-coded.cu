// Each thread doubles 32 elements.
extern "C" __global__ void twice(const float* in, float* out)
{
    const unsigned int thread = blockIdx.x * 128 + threadIdx.x;
    for (unsigned int k = 0; k < 32; ++k) {
        const unsigned int i = k * 128 + thread;
        out[i] = 2 * in[i];
    }
}
