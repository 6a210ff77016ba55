__constant__ float scale[4], offset[4];

extern "C" __global__ void adjust(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    float own = 0.0f;
    for (unsigned int k = 0; k < gridDim.x * blockDim.x; ++k) {
        const float x = scale[k % 4] * in[k] + offset[k % 4];
        own = k == i ? x : own;
    }
    out[i] = own;
}
