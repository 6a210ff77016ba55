// One lane of each warp does the work of all.
// says: idle
extern "C" __global__ void append(unsigned int n, const float* in, float* kept, unsigned int* counts)
{
    if (threadIdx.x > 0) {
        return;
    }
    const unsigned int first = blockIdx.x * 256, end = min(first + 256, n);
    unsigned int count = 0;
    for (unsigned int i = first; i < end; ++i) {
        if (in[i] > 0.5f) {
            kept[first + count++] = in[i];
        }
    }
    for (unsigned int i = first + count; i < end; ++i) {
        kept[i] = 0.0f;
    }
    counts[blockIdx.x] = count;
}
