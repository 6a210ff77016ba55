// Each thread adds four neighbours, the last one those that are left.
extern "C" __global__ void add_four(unsigned int n, const float* in, float* out)
{
    const unsigned int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (first < n) {
        float sum = 0.0f;
        for (unsigned int k = 0; k < 4; ++k) {
            sum += in[first + k];
        }
        out[first / 4] = sum;
    }
}
