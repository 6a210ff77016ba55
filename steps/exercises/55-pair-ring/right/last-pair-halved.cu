#define ALL 0xffffffff

__device__ float force(float distance)
{
    return distance * rsqrtf(distance * distance + 0.01f);
}

extern "C" __global__ void pull(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * 32 + threadIdx.x, lane = threadIdx.x;
    const float own = in[i];
    float sum = 0.0f;
    for (unsigned int k = 1; k <= 16; ++k) {
        const float mine = force(__shfl_sync(ALL, own, (lane + k) & 31) - own);
        sum += mine;
        if (k < 16) sum -= __shfl_sync(ALL, mine, (lane - k) & 31);
    }
    out[i] = sum;
}
