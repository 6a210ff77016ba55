// Places by votes and the counts of warps, in the order of the elements.
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
    __shared__ unsigned int found[256], counts[8];
    const unsigned int t = threadIdx.x, lane = t % 32, i = t + blockIdx.x * 256;
    const unsigned int x = i < n ? in[i] : 0;
    const unsigned int votes = __ballot_sync(0xffffffff, x != 0);
    if (lane == 0) {
        counts[t / 32] = __popc(votes);
    }
    if (i < n && x == 0) {
        out[i] = 0;
    }
    __syncthreads();
    unsigned int place = __popc(votes & ((1u << lane) - 1)), all = 0;
    for (unsigned int w = 0; w < 8; w++) {
        place += w < t / 32 ? counts[w] : 0;
        all += counts[w];
    }
    if (x != 0) {
        found[place] = i;
    }
    __syncthreads();
    if (t < all) {
        out[found[t]] = expensive(in[found[t]]);
    }
}
