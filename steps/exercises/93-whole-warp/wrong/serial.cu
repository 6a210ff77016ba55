// One lane adds for its warp, run by run.
// says: idle
#define NONE 0xffffffff

extern "C" __global__ void add(unsigned int n, const unsigned int* keys, const unsigned int* values, unsigned int* sums)
{
    const unsigned int first = threadIdx.x + blockIdx.x * blockDim.x;
    if (threadIdx.x % 32 != 0) {
        return;
    }
    unsigned int key = NONE, sum = 0;
    for (unsigned int i = first; i < first + 32 && i < n; i++) {
        if (keys[i] == NONE) {
            continue;
        }
        if (keys[i] != key && key != NONE) {
            atomicAdd(&sums[key], sum);
            sum = 0;
        }
        key = keys[i];
        sum += values[i];
    }
    if (key != NONE) {
        atomicAdd(&sums[key], sum);
    }
}
