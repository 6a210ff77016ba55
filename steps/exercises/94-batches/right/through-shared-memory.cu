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
    __shared__ volatile unsigned int first[32];
    const unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    while (true) {
        if (lane == 0) {
            first[warp] = atomicAdd(next, 32);
        }
        __syncwarp();
        const unsigned int i = first[warp] + lane;
        __syncwarp();
        if (i - lane >= n) {
            return;
        }
        if (i < n) {
            out[i] = work(i, rounds[i]);
        }
    }
}
