extern "C" __global__ void iterate(unsigned int n, const float* in, float* out)
{
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x, half = n / 2, rounds = n / 8;
    if (thread < half) {
        float x = in[2 * thread + 1];
        for (unsigned int k = rounds; k > 0; --k) x = sqrtf(0.5f + x);
        out[2 * thread + 1] = x;
    } else {
        const unsigned int i = 2 * (thread - half);
        float x = in[i];
        for (unsigned int k = rounds; k > 0; --k) x = fmaf(x, 0.5f, 0.25f);
        out[i] = x;
    }
}
