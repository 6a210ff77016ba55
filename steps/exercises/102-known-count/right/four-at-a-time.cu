// Rounds of four neighbours: a branch for four additions.
extern "C" __global__ void means(unsigned int n, unsigned int count, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float sum = 0.0f;
#pragma unroll 1
    for (const float* at = in + i; at < in + i + count; at += 4) {
        sum += at[0] + at[1] + at[2] + at[3];
    }
    out[i] = sum * (1.0f / count);
}
