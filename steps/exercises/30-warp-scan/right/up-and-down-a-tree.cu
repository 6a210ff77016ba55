extern "C" __global__ void scan(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    const unsigned int lane = i % 32;
    const float own = in[i];
    float sum = own;
    for (unsigned int s = 1; s < 32; s *= 2) { // sums of 2, 4, 8 … at the last of their lanes
        const float other = __shfl_up_sync(0xffffffff, sum, s);
        if ((lane + 1) % (2 * s) == 0) sum += other;
    }
    for (unsigned int s = 8; s > 0; s /= 2) { // and between them
        const float other = __shfl_up_sync(0xffffffff, sum, s);
        if (lane >= 2 * s && (lane + 1) % (2 * s) == s) sum += other;
    }
    out[i] = sum;
}
