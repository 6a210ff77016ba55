// 64 items at a time, two for each lane.
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
    const unsigned int lane = threadIdx.x % 32;
    unsigned int first = 0;
    do {
        if (lane == 0) {
            first = atomicAdd(next, 64u);
        }
        first = __shfl_sync(0xffffffff, first, 0);
        for (unsigned int i = first + lane; i < first + 64 && i < n; i += 32) {
            out[i] = work(i, rounds[i]);
        }
    } while (first < n);
}
