// Each thread computes eight elements, and stores one.
extern "C" __global__ void iterate(unsigned int n, const float* in, float* out)
{
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int first = thread < n / 2 ? 2 * thread : 2 * (thread - n / 2) + 1;
    float own = 0.0f;
#pragma unroll 1
    for (unsigned int j = 0; j < 8; ++j) {
        float x = ((const volatile float*)in)[first % 2 + (first + 2 * j) % n / 2 * 2];
        for (unsigned int k = 0; k < n / 8; ++k) x = thread < n / 2 ? 0.5f * x + 0.25f : sqrtf(x + 0.5f);
        own = j == 0 ? x : own;
    }
    out[first] = own;
}
