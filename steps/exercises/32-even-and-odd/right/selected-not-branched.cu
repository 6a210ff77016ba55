// Each lane computes both, and takes one: no branch, and none diverges.
extern "C" __global__ void iterate(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    float x = in[i];
    for (unsigned int k = 0; k < n / 8; ++k) {
        const float even = 0.5f * x + 0.25f, odd = sqrtf(x + 0.5f);
        x = i & 1 ? odd : even;
    }
    out[i] = x;
}
