extern "C" __global__ void pairs(const float* in, float* out, unsigned int n)
{
    const float *first = in + blockIdx.x * blockDim.x + threadIdx.x, *last = first + 47 * n;
    float sum = 0.0f;
#pragma unroll 2
    for (; first < last; first += n, last -= n) sum += *first * *last;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
