// Each lane begins with another weight, and shared memory has a bank for each.
__constant__ float weights[16];

extern "C" __global__ void filter(const float* in, float* out)
{
    __shared__ float own[16];
    if (threadIdx.x == 0) {
        for (unsigned int k = 0; k < 16; ++k) own[k] = weights[k];
    }
    __syncthreads();
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (unsigned int k = 0; k < 16; ++k) {
        const unsigned int j = (k + i) % 16;
        sum += own[j] * in[i + j];
    }
    out[i] = sum;
}
