extern "C" __global__ void sum(const float* in, float* out)
{
    __shared__ float buffer[2][32];
    const unsigned int lane = threadIdx.x % 32;
    const bool loads = threadIdx.x < 32;
    float all = 0.0f;
    for (unsigned int k = 0; k <= 8; k++) {
        if (loads && k < 8) {
            buffer[k % 2][lane] = in[blockIdx.x * 256 + k * 32 + lane];
        }
        if (!loads && k > 0) {
            all += buffer[(k - 1) % 2][31 - lane];
        }
        __syncthreads();
    }
    if (!loads) {
        out[blockIdx.x * 32 + lane] = all;
    }
}
