// Counts of the block in shared memory first: other atomics, and few in global memory.
extern "C" __global__ void count(unsigned int n, const unsigned int* keys, unsigned int* counts)
{
    __shared__ unsigned int of_block[8];
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    if (threadIdx.x < 8) {
        of_block[threadIdx.x] = 0;
    }
    __syncthreads();
    unsigned int left = __ballot_sync(0xffffffff, i < n);
    const unsigned int key = i < n ? keys[i] % 8 : 0;
    while (left != 0) {
        const unsigned int of_first = __shfl_sync(0xffffffff, key, __ffs(left) - 1);
        const unsigned int group = left & __ballot_sync(0xffffffff, key == of_first);
        if (lane == 0) {
            atomicAdd(&of_block[of_first], __popc(group));
        }
        left &= ~group;
    }
    __syncthreads();
    if (threadIdx.x < 8 && of_block[threadIdx.x] > 0) {
        atomicAdd(&counts[threadIdx.x], of_block[threadIdx.x]);
    }
}
