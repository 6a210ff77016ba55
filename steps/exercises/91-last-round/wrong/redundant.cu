// Every lane goes through all numbers, and writes a part of what is kept.
extern "C" __global__ void append(unsigned int n, const float* in, float* kept, unsigned int* counts)
{
    const unsigned int first = blockIdx.x * 256, end = min(first + 256, n);
    unsigned int count = 0;
    for (unsigned int i = first; i < end; ++i) {
        if (in[i] > 0.5f) {
            if (count % 32 == threadIdx.x) {
                kept[first + count] = in[i];
            }
            ++count;
        }
    }
    for (unsigned int i = first + count + threadIdx.x; i < end; i += 32) {
        kept[i] = 0.0f;
    }
    if (threadIdx.x == 0) {
        counts[blockIdx.x] = count;
    }
}
