// Each thread loads what eight threads need, and stores its own.
extern "C" __global__ void twice(const float* in, float* out)
{
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int threads = gridDim.x * blockDim.x;
    for (unsigned int k = 0; k < 32; ++k) {
        float own = 0.0f;
        for (unsigned int j = thread / 8 * 8; j < thread / 8 * 8 + 8; ++j) {
            const float x = in[k * threads + j];
            own = j == thread ? 2 * x : own;
        }
        out[k * threads + thread] = own;
    }
}
