// Every thread computes the results of its whole warp, and keeps its own.
// says: global bytes
extern "C" __global__ void chain(
    unsigned int n, float factor, float most, const float* a, const float* b, float* c)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x, first = i / 32 * 32;
    float own = 0.0f;
    for (unsigned int k = first; k < first + 32 && k < n; k++) {
        const float of = fminf(sqrtf(fabsf((a[k] + b[k]) * factor)), most);
        own = k == i ? of : own;
    }
    if (i < n) {
        c[i] = own;
    }
}
