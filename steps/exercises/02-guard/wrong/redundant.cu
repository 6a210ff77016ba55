// says: a warp does too much
extern "C" __global__ void square(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    float own = 0.0f;
    for (unsigned int k = 0; k < n; ++k) {
        const float x = in[k];
        own = k == i ? x * x : own;
    }
    if (i < n) {
        out[i] = own;
    }
}
