// All counts are 16.
// says: wrong
template <unsigned int COUNT> __device__ float mean(const float* in)
{
    float sum = 0.0f;
#pragma unroll
    for (unsigned int k = 0; k < COUNT; ++k) {
        sum += in[k];
    }
    return sum / COUNT;
}

extern "C" __global__ void means(unsigned int n, unsigned int count, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) {
        out[i] = mean<16>(in + i);
    }
}
