// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: warps scan by shuffles; one warp scans the sums of the eight warps.
// Why:     lanes of a warp read each other's registers without a barrier.
// Expect:  two barriers instead of seventeen; the traffic is as before.

#define THREADS 256 // of a block
#define WARPS (THREADS / 32)

__device__ unsigned int scan_warp(unsigned int own)
{
    for (unsigned int step = 1; step < 32; step *= 2) {
        const unsigned int before = __shfl_up_sync(0xffffffff, own, step);
        own += threadIdx.x % 32 >= step ? before : 0;
    }
    return own;
}

// The sums of the block's warps, each with those before it, from what each warp has in its last lane.
__device__ const unsigned int* scan_warps(unsigned int own)
{
    __shared__ unsigned int sum[WARPS];
    const unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 31) {
        sum[warp] = own;
    }
    __syncthreads(); // each warp's sum is there
    if (warp == 0) {
        const unsigned int all = scan_warp(lane < WARPS ? sum[lane] : 0);
        if (lane < WARPS) {
            sum[lane] = all;
        }
    }
    __syncthreads(); // they are scanned
    return sum;
}

extern "C" __global__ void scan(unsigned int n, const unsigned int* in, unsigned int* out, unsigned int* sums)
{
    const unsigned int thread = threadIdx.x, warp = thread / 32;
    const unsigned int i = thread + blockIdx.x * THREADS;
    const unsigned int own = scan_warp(i < n ? in[i] : 0);
    const unsigned int* const of_warps = scan_warps(own);
    if (i < n) {
        out[i] = own + (warp > 0 ? of_warps[warp - 1] : 0);
    }
    if (thread == THREADS - 1) {
        sums[blockIdx.x] = of_warps[WARPS - 1];
    }
}

// Adds the sum of all blocks before it to each element of a block.
extern "C" __global__ void add(unsigned int n, unsigned int* out, const unsigned int* sums)
{
    const unsigned int i = threadIdx.x + blockIdx.x * THREADS;
    if (blockIdx.x > 0 && i < n) {
        out[i] += sums[blockIdx.x - 1];
    }
}
