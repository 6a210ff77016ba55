// One lane of each warp does all of its items.
// says: idle
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
    if (threadIdx.x % 32 != 0) {
        return;
    }
    for (unsigned int first = atomicAdd(next, 32); first < n; first = atomicAdd(next, 32)) {
        for (unsigned int i = first; i < first + 32 && i < n; i++) {
            out[i] = work(i, rounds[i]);
        }
    }
}
