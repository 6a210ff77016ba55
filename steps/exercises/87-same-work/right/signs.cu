// Both paths are a sum of a constant and x with a sign.
__device__ float rounds(float x)
{
#pragma unroll 1
    for (int round = 0; round < 16; ++round) {
        x += 0.25f / (x + 1.0f);
    }
    return x;
}

extern "C" __global__ void process(unsigned int n, const float* in, float* out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (int)n) {
        return;
    }
    const bool is_low = in[i] < 0.5f;
    const float constant[2] = {1.5f, 0.5f}, sign[2] = {-1.0f, 1.0f};
    out[i] = rounds(constant[is_low] + sign[is_low] * in[i]);
}
