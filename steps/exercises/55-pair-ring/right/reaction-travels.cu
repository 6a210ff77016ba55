#define ALL 0xffffffff

__device__ float force(float distance)
{
    return distance * rsqrtf(distance * distance + 0.01f);
}

extern "C" __global__ void pull(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * 32 + threadIdx.x, lane = threadIdx.x;
    const float own = in[i];
    float other = own, action = 0.0f, reaction = 0.0f;
    for (unsigned int k = 1; k < 16; ++k) { // a body and what was done to it go round together
        other = __shfl_sync(ALL, other, (lane + 1) % 32);
        reaction = __shfl_sync(ALL, reaction, (lane + 1) % 32);
        const float mine = force(other - own);
        action += mine;
        reaction -= mine;
    }
    other = __shfl_sync(ALL, other, (lane + 1) % 32);
    reaction = __shfl_sync(ALL, reaction, (lane + 17) % 32);
    out[i] = action + reaction + force(other - own);
}
