// Each lane computes the elements of its warp, and stores one.
extern "C" __global__ void fade(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    float own = 0.0f;
    for (unsigned int k = i / 32 * 32; k < i / 32 * 32 + 32 && k < n; ++k) {
        const float x = in[k];
        own = k == i ? 0.1f * x + 0.5f : own;
    }
    if (i < n) out[i] = own;
}
