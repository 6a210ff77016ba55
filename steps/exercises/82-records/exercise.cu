extern "C" __global__ void lengths(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) {
        const float x = in[3 * i], y = in[3 * i + 1], z = in[3 * i + 2]; // TODO: by way of shared memory
        out[i] = sqrtf(x * x + y * y + z * z);
    }
}
