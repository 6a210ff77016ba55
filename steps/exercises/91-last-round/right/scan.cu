// Places by a scan with shuffles in the place of a vote.
extern "C" __global__ void append(unsigned int n, const float* in, float* kept, unsigned int* counts)
{
    const int lane = threadIdx.x, first = blockIdx.x * 256, end = min(first + 256, (int)n);
    int count = 0;
    for (int round = first; round < end; round += 32) {
        const int i = round + lane;
        const int keep = i < end && in[i] > 0.5f;
        int before = keep;
        for (int step = 1; step < 32; step *= 2) {
            const int other = __shfl_up_sync(0xffffffff, before, step);
            before += lane >= step ? other : 0;
        }
        if (keep) {
            kept[first + count + before - 1] = in[i];
        }
        count += __shfl_sync(0xffffffff, before, 31);
    }
    for (int i = first + count + lane; i < end; i += 32) {
        kept[i] = 0.0f;
    }
    if (lane == 31) {
        counts[blockIdx.x] = count;
    }
}
