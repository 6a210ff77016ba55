// A warp takes places for all of its lanes at once.
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
    __shared__ unsigned int found[256], count;
    const unsigned int t = threadIdx.x, lane = t % 32, i = t + blockIdx.x * blockDim.x;
    if (t == 0) {
        count = 0;
    }
    __syncthreads();
    const bool is_found = i < n && in[i] != 0;
    const unsigned int votes = __ballot_sync(~0u, is_found);
    unsigned int first = 0;
    if (lane == 0 && votes != 0) {
        first = atomicAdd(&count, __popc(votes));
    }
    first = __shfl_sync(~0u, first, 0);
    if (is_found) {
        found[first + __popc(votes & ((1u << lane) - 1))] = i;
    } else if (i < n) {
        out[i] = 0;
    }
    __syncthreads();
    if (t < count) {
        const unsigned int mine = found[t];
        out[mine] = expensive(in[mine]);
    }
}
