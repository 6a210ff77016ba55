extern "C" __global__ void lengths(unsigned int n, const float* in, float* out)
{
    __shared__ float tile[3 * 128];
    const unsigned int t = threadIdx.x;
    const unsigned int i = blockIdx.x * 128 + t;
    const unsigned int first = 3 * 128 * blockIdx.x; // number of the block
    for (unsigned int k = t; k < 3 * 128; k += 128) {
        if (first + k < 3 * n) {
            tile[k] = in[first + k];
        }
    }
    __syncthreads(); // the records are there
    if (i < n) {
        const float x = tile[3 * t], y = tile[3 * t + 1], z = tile[3 * t + 2];
        out[i] = sqrtf(x * x + y * y + z * z);
    }
}
