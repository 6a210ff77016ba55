extern "C" __global__ void add_four(unsigned int n, const float* in, float* out)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const unsigned int all = gridDim.x * blockDim.x;

    for (unsigned int first = 0; first < n; first += 4) {
        float sum = 0.0f;
        for (unsigned int k = first; k < first + 4 && k < n; ++k) sum += in[k];
        out[first / 4] = sum;
    }
}
