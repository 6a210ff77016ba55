__device__ unsigned int work(unsigned int item, unsigned int rounds)
{
    unsigned int x = item + 1;
    while (rounds-- > 0) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return x;
}

extern "C" __global__ void process(unsigned int n, const unsigned int* rounds, unsigned int* out, unsigned int* next)
{
    const int lane = threadIdx.x & 31;
    for (;;) {
        int first = 0;
        if (lane == 31) {
            first = atomicAdd((int*)next, 32);
        }
        first = __shfl_sync(~0u, first, 31);
        if (first + lane < (int)n) {
            out[first + lane] = work(first + lane, rounds[first + lane]);
        }
        if (first + 32 >= (int)n) {
            break;
        }
    }
}
