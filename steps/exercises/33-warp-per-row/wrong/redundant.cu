extern "C" __global__ void sum_rows(const float* in, float* out)
{
    const unsigned int row = blockIdx.x * 8 + threadIdx.x / 32;
    const unsigned int lane = threadIdx.x % 32;
    float sum = 0.0f;
    for (unsigned int k = 0; k < 32; ++k) {
        const float x = ((const volatile float*)in)[row * 32 + k];
        sum = k == lane ? x : sum;
    }
    for (unsigned int s = 16; s > 0; s /= 2) sum += __shfl_xor_sync(0xffffffff, sum, s);
    if (lane == 0) out[row] = sum;
}
