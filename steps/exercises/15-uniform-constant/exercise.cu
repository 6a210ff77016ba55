__constant__ float weights[16];

extern "C" __global__ void filter(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (unsigned int k = 0; k < 16; ++k) {
        const unsigned int j = (k + threadIdx.x) % 16; // TODO: the same weight for all lanes
        sum += weights[j] * in[i + j];
    }
    out[i] = sum;
}
