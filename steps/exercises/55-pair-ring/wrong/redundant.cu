// Each lane computes all pairs of its body.
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
#pragma unroll 1
    for (unsigned int k = 1; k < 32; ++k) {
        const float other = __shfl_sync(ALL, own, (lane + k) % 32);
        sum += force(other - own);
    }
    out[i] = sum;
}
