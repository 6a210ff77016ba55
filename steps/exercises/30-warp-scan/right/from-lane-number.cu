extern "C" __global__ void scan(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    const int lane = i % 32;
    float sum = in[i];
    for (int s = 1; s < 32; s *= 2) {
        const float other = __shfl_sync(0xffffffff, sum, max(lane - s, 0));
        sum += lane - s >= 0 ? other : 0.0f;
    }
    out[i] = sum;
}
