// Every lane fetches for itself.
// says: atomic additions of threads
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
    unsigned int i;
    while ((i = atomicAdd(next, 1)) < n) {
        out[i] = work(i, rounds[i]);
    }
}
