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
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (unsigned int i = 0; i < n; ++i) {
            out[i] = count == 4 ? mean<4>(in + i) : count == 8 ? mean<8>(in + i) : mean<16>(in + i);
        }
    }
}
