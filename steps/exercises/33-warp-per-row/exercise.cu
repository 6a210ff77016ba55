extern "C" __global__ void sum_rows(const float* in, float* out)
{
    const unsigned int row = blockIdx.x * 8 + threadIdx.x / 32;
    const unsigned int lane = threadIdx.x % 32;
    if (lane == 0) { // TODO: all lanes
        float sum = 0.0f;
        for (unsigned int k = 0; k < 32; ++k) {
            sum += in[row * 32 + k];
        }
        out[row] = sum;
    }
}
