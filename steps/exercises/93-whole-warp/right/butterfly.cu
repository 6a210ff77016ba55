// Lanes without an element do not spoil their warp: they agree with any key.
#define NONE 0xffffffff

extern "C" __global__ void add(unsigned int n, const unsigned int* keys, const unsigned int* values, unsigned int* sums)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    const unsigned int key = i < (int)n ? keys[i] : NONE;
    unsigned int value = key != NONE ? values[i] : 0;
    const unsigned int has_key = __ballot_sync(0xffffffff, key != NONE);
    if (has_key == 0) {
        return;
    }
    const unsigned int first = __shfl_sync(0xffffffff, key, __ffs(has_key) - 1);
    if (!__any_sync(0xffffffff, key != NONE && key != first)) {
        for (int step = 1; step < 32; step *= 2) {
            value += __shfl_xor_sync(0xffffffff, value, step);
        }
        if (threadIdx.x % 32 == 31) {
            atomicAdd(sums + first, value);
        }
    } else if (key != NONE) {
        atomicAdd(sums + key, value);
    }
}
