extern "C" __global__ void sum(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = in[i];
    for (unsigned int s = 16; s > 0; s /= 2) {
        // TODO: add the sum of the lane s places further on
    }
    if (i % 32 == 0) {
        out[i / 32] = sum;
    }
}
