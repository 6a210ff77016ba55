// The list holds places and values; results go back through it.
__device__ unsigned int expensive(unsigned int x)
{
    for (int round = 0; round < 100; round++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return x;
}

extern "C" __global__ void process(unsigned int n, const unsigned int* in, unsigned int* out)
{
    __shared__ uint2 found[256];
    __shared__ int count;
    const int t = threadIdx.x, i = t + blockIdx.x * 256;
    count = 0;
    __syncthreads();
    if (i < (int)n) {
        const unsigned int x = in[i];
        if (x) {
            found[atomicAdd(&count, 1)] = make_uint2(i, x);
        } else {
            out[i] = x;
        }
    }
    __syncthreads();
    for (int k = t; k < count; k += 256) {
        out[found[k].x] = expensive(found[k].y);
    }
}
