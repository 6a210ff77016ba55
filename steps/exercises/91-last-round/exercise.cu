extern "C" __global__ void append(unsigned int n, const float* in, float* kept, unsigned int* counts)
{
    const unsigned int lane = threadIdx.x;
    const unsigned int first = blockIdx.x * 256;
    const unsigned int end = min(first + 256, n);
    unsigned int count = 0;
    for (unsigned int i = first + lane; i < end; i += 32) {
        const bool keep = in[i] > 0.5f;
        const unsigned int votes = __ballot_sync(0xffffffff, keep);
        if (keep) {
            kept[first + count + __popc(votes & ((1u << lane) - 1))] = in[i];
        }
        count += __popc(votes);
    }
    for (unsigned int i = first + count + lane; i < end; i += 32) {
        kept[i] = 0.0f; // the places that are left
    }
    if (lane == 0) {
        counts[blockIdx.x] = count;
    }
}
