// The three votes first, then masks; lanes beyond n have left before.
extern "C" __global__ void count(unsigned int n, const unsigned int* keys, unsigned int* counts)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int lanes = __ballot_sync(~0u, i < (int)n);
    if (i >= (int)n) {
        return;
    }
    const unsigned int key = keys[i] & 7;
    const unsigned int low = __ballot_sync(lanes, key & 1), middle = __ballot_sync(lanes, key & 2), high = __ballot_sync(lanes, key & 4);
    const unsigned int group = lanes & ~(low ^ -(key & 1)) & ~(middle ^ -(key >> 1 & 1)) & ~(high ^ -(key >> 2));
    if ((group & ((1u << (threadIdx.x % 32)) - 1)) == 0) {
        atomicAdd(&counts[key], __popc(group));
    }
}
