// Every warp has eight rounds, however many numbers there are.
extern "C" __global__ void append(unsigned int n, const float* in, float* kept, unsigned int* counts)
{
    const unsigned int lane = threadIdx.x, first = blockIdx.x * 256;
    unsigned int count = 0;
#pragma unroll
    for (int round = 0; round < 8; ++round) {
        const unsigned int i = first + 32 * round + lane;
        const float x = i < n ? in[i] : 0.0f;
        const unsigned int votes = __ballot_sync(~0u, x > 0.5f);
        if (x > 0.5f) {
            kept[first + count + __popc(votes << 1 << (31 - lane))] = x;
        }
        count += __popc(votes);
    }
    for (unsigned int place = lane; place < 256; place += 32) {
        if (place >= count && first + place < n) {
            kept[first + place] = 0.0f;
        }
    }
    counts[blockIdx.x] = count;
}
