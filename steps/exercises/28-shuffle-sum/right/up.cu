extern "C" __global__ void sum(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    float sum = in[i];
#pragma unroll
    for (unsigned int s = 1; s < 32; s *= 2) sum += __shfl_up_sync(0xffffffff, sum, s);
    // Lanes below s add their own value again, and only lane 31 has the sum.
    if (i % 32 == 31) out[i / 32] = sum;
}
