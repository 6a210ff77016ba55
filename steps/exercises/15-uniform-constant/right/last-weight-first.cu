__constant__ float weights[16];

extern "C" __global__ void filter(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    float sum = 0.0f;
    for (int k = 15; k >= 0; --k) sum = fmaf(weights[k], in[i + k], sum);
    out[i] = sum;
}
