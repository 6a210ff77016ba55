// A scan of the warp that begins again where the key changes: one addition for each run.
#define NONE 0xffffffff

extern "C" __global__ void add(unsigned int n, const unsigned int* keys, const unsigned int* values, unsigned int* sums)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x, lane = threadIdx.x % 32;
    const unsigned int key = i < n ? keys[i] : NONE;
    unsigned int value = i < n ? values[i] : 0;
    const unsigned int left = __shfl_up_sync(0xffffffff, key, 1);
    const unsigned int heads = __ballot_sync(0xffffffff, lane == 0 || key != left);
    const unsigned int head = 31 - __clz(heads & (0xffffffff >> (31 - lane)));
    for (unsigned int step = 1; step < 32; step *= 2) {
        const unsigned int before = __shfl_up_sync(0xffffffff, value, step);
        value += lane >= head + step ? before : 0;
    }
    const bool is_last = lane == 31 || (heads >> lane >> 1 & 1) != 0;
    if (is_last && key != NONE) {
        atomicAdd(&sums[key], value);
    }
}
