// One lane walks for each body of its warp, and looks at all bodies of the warp to agree.
#define LEAVES 64

__device__ unsigned int after(unsigned int k)
{
    while (k % 2 == 1) {
        k /= 2;
    }
    return k + 1;
}

extern "C" __global__ void pull(unsigned int n, const float* in, float* out)
{
    const unsigned int first = blockIdx.x * 128 + threadIdx.x;
    if (threadIdx.x % 32 != 0) {
        return;
    }
    for (unsigned int i = first; i < first + 32 && i < n; ++i) {
        const float x = (i + in[i]) / n;
        float sum = 0.0f;
        unsigned int k = 1;
        do {
            const float width = 1.0f / (1u << (31 - __clz(k))), centre = k * width + 0.5f * width - 1.0f;
            bool opens = false;
            for (unsigned int j = first; j < first + 32 && j < n; ++j) {
                opens |= k < LEAVES && fabsf((j + in[j]) / n - centre) < width;
            }
            if (opens) {
                k = 2 * k;
            } else {
                sum += width / (fabsf(x - centre) + 0.125f);
                k = after(k);
            }
        } while (k != 1);
        out[i] = sum;
    }
}
