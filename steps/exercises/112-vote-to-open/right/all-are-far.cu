// Lanes without a body have no say.
__device__ unsigned int after(unsigned int k)
{
    return (k >> (__ffs(~k) - 1)) + 1;
}

extern "C" __global__ void pull(unsigned int n, const float* in, float* out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool has_body = i < (int)n;
    const float x = has_body ? (i + in[i]) / n : 0.0f;
    float sum = 0.0f, width = 1.0f;
    unsigned int k = 1;
    do {
        width = ldexpf(1.0f, __clz(k) - 31);
        const float distance = fabsf(x - ((k + 0.5f) * width - 1.0f));
        if (k >= 64 || __all_sync(0xffffffff, !has_body || distance >= width)) {
            sum += width / (distance + 0.125f);
            k = after(k);
        } else {
            k <<= 1;
        }
    } while (k != 1);
    if (has_body) {
        out[i] = sum;
    }
}
