__constant__ float weights[16];

extern "C" __global__ void filter(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    float sums[4] = {};
#pragma unroll
    for (unsigned int k = 0; k < 16; ++k) sums[k % 4] += weights[k] * in[i + k];
    out[i] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
}
