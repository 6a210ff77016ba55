// The least distance of all lanes, by shuffles.
#define LEAVES 64

__device__ unsigned int after(unsigned int k)
{
    while (k % 2 == 1) {
        k /= 2;
    }
    return k + 1;
}

__device__ float least(float own)
{
    for (int step = 16; step > 0; step /= 2) {
        own = fminf(own, __shfl_xor_sync(0xffffffff, own, step));
    }
    return own;
}

extern "C" __global__ void pull(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * 128 + threadIdx.x, own = min(i, n - 1);
    const float x = (own + in[own]) / n;
    float sum = 0.0f;
    unsigned int k = 1;
    do {
        const float width = 1.0f / (1u << (31 - __clz(k))), distance = fabsf(x - (k * width + 0.5f * width - 1.0f));
        const float nearest = least(distance);
        if (k < LEAVES && nearest < width) {
            k = 2 * k;
        } else {
            sum += width / (distance + 0.125f);
            k = after(k);
        }
    } while (k != 1);
    if (i < n) {
        out[i] = sum;
    }
}
