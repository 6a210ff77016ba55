__device__ float mean(unsigned int count, const float* in)
{
    float sum = 0.0f;
    for (unsigned int k = 0; k < count; ++k) { // TODO: unrolled
        sum += in[k];
    }
    return sum / count;
}

extern "C" __global__ void means(unsigned int n, unsigned int count, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = mean(count, in + i); // count is 4, 8 or 16
    }
}
