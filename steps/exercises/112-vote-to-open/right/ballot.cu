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
    const unsigned int i = blockIdx.x * 128 + threadIdx.x, own = i < n ? i : n - 1;
    const float x = (own + in[own]) / n;
    float sum = 0.0f;
    for (unsigned int k = 1, is_first = 1; k != 1 || is_first; is_first = 0) {
        const float width = 1.0f / (1u << (31 - __clz(k))), distance = fabsf(x - (k * width + 0.5f * width - 1.0f));
        const unsigned int votes = __ballot_sync(0xffffffff, distance < width);
        if (k < LEAVES && votes != 0) {
            k *= 2;
            continue;
        }
        sum += width / (distance + 0.125f);
        k = after(k);
    }
    if (i < n) {
        out[i] = sum;
    }
}
