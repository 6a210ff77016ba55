#define ALL 0xffffffff

__device__ float force(float distance)
{
    return distance * rsqrtf(distance * distance + 0.01f);
}

extern "C" __global__ void pull(const float* in, float* out)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const unsigned int all = gridDim.x * blockDim.x;

    for (unsigned int i = 0; i < all; ++i) out[i] = 0.0f;
    for (unsigned int i = 0; i < all; ++i) {
        for (unsigned int j = i + 1; j < (i / 32 + 1) * 32; ++j) {
            const float mine = force(in[j] - in[i]);
            out[i] += mine;
            out[j] -= mine;
        }
    }
}
