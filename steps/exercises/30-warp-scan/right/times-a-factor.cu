extern "C" __global__ void scan(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    const unsigned int lane = threadIdx.x & 31;
    float sum = in[i];
#pragma unroll
    for (unsigned int s = 1; s < 32; s <<= 1) {
        const float other = __shfl_up_sync(0xffffffff, sum, s);
        sum = fmaf(lane < s ? 0.0f : 1.0f, other, sum);
    }
    out[i] = sum;
}
