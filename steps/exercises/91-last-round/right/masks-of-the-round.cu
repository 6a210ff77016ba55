// The last round names the lanes that have a number, and lane 0 tells the count.
extern "C" __global__ void append(unsigned int n, const float* in, float* kept, unsigned int* counts)
{
    const unsigned int lane = threadIdx.x, first = blockIdx.x * 256, end = min(first + 256, n);
    unsigned int count = 0;
    for (unsigned int i = first + lane; i < end; i += 32) {
        const unsigned int left = end - (i - lane);
        const unsigned int lanes = left >= 32 ? 0xffffffff : (1u << left) - 1;
        const unsigned int votes = __ballot_sync(lanes, in[i] > 0.5f);
        if (in[i] > 0.5f) {
            kept[first + count + __popc(votes & ((1u << lane) - 1))] = in[i];
        }
        count += __popc(votes);
    }
    count = __shfl_sync(0xffffffff, count, 0);
    for (unsigned int i = first + count + lane; i < end; i += 32) {
        kept[i] = 0.0f;
    }
    if (lane == 0) {
        counts[blockIdx.x] = count;
    }
}
