extern "C" __global__ void sum(const float* in, float* out)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const unsigned int all = gridDim.x * blockDim.x;

    for (unsigned int block = 0; block < gridDim.x; ++block) {
        float sum = 0.0f;
        for (unsigned int k = 0; k < 128; ++k) sum += in[block * 128 + k];
        out[block] = sum;
    }
}
