__device__ __forceinline__ float pair(float d)
{
    return rsqrtf(fmaf(d, d, 0.01f)) * d;
}

extern "C" __global__ void pull(const float* in, float* out)
{
    const int lane = threadIdx.x;
    const float own = in[blockIdx.x * 32 + lane];
    float sum = pair(__shfl_xor_sync(~0u, own, 16) - own);
#pragma unroll 5
    for (int k = 15; k > 0; --k) {
        const float mine = pair(__shfl_sync(~0u, own, lane + k, 32) - own);
        sum += mine - __shfl_sync(~0u, mine, lane - k, 32);
    }
    out[blockIdx.x * 32 + lane] = sum;
}
