#define LEAVES 64 // cells of the last level; the halves of cell k are 2 k and 2 k + 1

// The cell that comes next if cell k is not opened; 1 after the last.
__device__ unsigned int after(unsigned int k)
{
    while (k % 2 == 1) {
        k /= 2;
    }
    return k + 1;
}

extern "C" __global__ void pull(unsigned int n, const float* in, float* out)
{
    __shared__ bool near[4];
    const unsigned int i = blockIdx.x * 128 + threadIdx.x, warp = threadIdx.x / 32;
    const unsigned int own = min(i, n - 1); // lanes without a body go along with the last one
    const float x = (own + in[own]) / n;
    float sum = 0.0f;
    unsigned int k = 1;
    do {
        const float width = 1.0f / (1u << (31 - __clz(k)));
        const float distance = fabsf(x - (k * width + 0.5f * width - 1.0f));
        const bool is_near = k < LEAVES && distance < width;
        near[warp] = false; // TODO: a vote
        __syncwarp();
        if (is_near) {
            near[warp] = true;
        }
        __syncwarp();
        const bool opens = near[warp];
        __syncwarp();
        if (opens) {
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
