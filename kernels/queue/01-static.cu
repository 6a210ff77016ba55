// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: as many threads as run at once; each has its items from the beginning, a stride apart.
// Why:     items take 1 to 512 rounds, and nobody knows which thread draws the long ones.
// Expect:  a warp is busy until its longest item is done, and the GPU until its unluckiest warp is.

// One round of the work of an item.
__device__ unsigned int round_of(unsigned int x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

__device__ unsigned int work(unsigned int item, unsigned int rounds)
{
    unsigned int x = item + 1;
    while (rounds-- > 0) {
        x = round_of(x);
    }
    return x;
}

extern "C" __global__ void process(unsigned int n, const unsigned int* rounds, unsigned int* out)
{
    const unsigned int threads = gridDim.x * blockDim.x;
    for (unsigned int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += threads) {
        out[i] = work(i, rounds[i]);
    }
}
