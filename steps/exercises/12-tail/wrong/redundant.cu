extern "C" __global__ void add_four(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    float own = 0.0f;
    for (unsigned int first = 0; first < n; first += 4) {
        float sum = 0.0f;
        for (unsigned int k = first; k < first + 4 && k < n; ++k) sum += in[k];
        own = first == 4 * i ? sum : own;
    }
    if (4 * i < n) out[i] = own;
}
