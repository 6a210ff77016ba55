extern "C" __global__ void count(unsigned int n, const unsigned int* keys, unsigned int* counts)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int lane = threadIdx.x % 32;
    const unsigned int key = i < n ? keys[i] % 8 : 0;
    unsigned int group = __ballot_sync(0xffffffff, i < n);
    for (unsigned int bit = 0; bit < 3; ++bit) {
        const unsigned int votes = __ballot_sync(0xffffffff, key >> bit & 1);
        group &= key >> bit & 1 ? votes : ~votes;
    }
    if (lane == __ffs(group) - 1) {
        atomicAdd(&counts[key], __popc(group));
    }
}
