extern "C" __global__ void pairs(const float* in, float* out, unsigned int n)
{
    const unsigned int i = blockIdx.x * 64 + threadIdx.x;
    float sums[2] = {};
#pragma unroll 1
    for (int k = 23; k > 0; k -= 2) {
        sums[0] += in[k * n + i] * in[(47 - k) * n + i];
        sums[1] += in[(k - 1) * n + i] * in[(48 - k) * n + i];
    }
    out[i] = sums[0] + sums[1];
}
