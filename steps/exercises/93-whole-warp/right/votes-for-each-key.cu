// Round by round, the lanes with the key of the first that is left.
#define NONE 0xffffffff

__device__ unsigned int sum_of(unsigned int value)
{
    for (int step = 16; step > 0; step /= 2) {
        value += __shfl_down_sync(0xffffffff, value, step);
    }
    return value;
}

extern "C" __global__ void add(unsigned int n, const unsigned int* keys, const unsigned int* values, unsigned int* sums)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    const unsigned int key = i < n ? keys[i] : NONE;
    const unsigned int value = i < n ? values[i] : 0;
    unsigned int left = __ballot_sync(0xffffffff, key != NONE);
    while (left != 0) {
        const unsigned int first = __shfl_sync(0xffffffff, key, __ffs(left) - 1);
        const unsigned int sum = sum_of(key == first ? value : 0);
        if (threadIdx.x % 32 == 0) {
            atomicAdd(&sums[first], sum);
        }
        left &= ~__ballot_sync(0xffffffff, key == first);
    }
}
