extern "C" __global__ void smooth(unsigned int n, const float* in, float* out)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const unsigned int all = gridDim.x * blockDim.x;

    for (unsigned int i = 0; i < n; ++i) {
        out[i] = ((i > 0 ? in[i - 1] : 0.0f) + in[i] + (i + 1 < n ? in[i + 1] : 0.0f)) / 3;
    }
}
