// SPDX-License-Identifier: MIT OR Apache-2.0
// Warps and blocks: sums and bounds over them, and each thread's sum of those before it.

#define WARP 32
#define ALL 0xffffffff // lanes

// Sum of `own` of the lanes before this one.
__device__ __forceinline__ int before_in_warp(int own)
{
    int sum = own;
#pragma unroll
    for (int step = 1; step < WARP; step *= 2) {
        const int other = __shfl_up_sync(ALL, sum, step);
        sum += threadIdx.x % WARP >= step ? other : 0;
    }
    return sum - own;
}

// Sum of `own` of the threads before this one in its block, and that of all its threads in `all`.
template <int WARPS> __device__ __forceinline__ int before_in_block(int own, int *all)
{
    __shared__ int sums[WARPS];
    const int warp = threadIdx.x / WARP, before = before_in_warp(own);
    __syncthreads(); // an earlier call's sums have been read
    if (threadIdx.x % WARP == WARP - 1) {
        sums[warp] = before + own;
    }
    __syncthreads(); // each warp's sum is there
    int earlier = 0, total = 0;
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        earlier += w < warp ? sums[w] : 0;
        total += sums[w];
    }
    *all = total;
    return earlier + before;
}

// Least and greatest of what the lanes have.
__device__ __forceinline__ float least_in_warp(float own)
{
#pragma unroll
    for (int step = WARP / 2; step > 0; step /= 2) {
        own = fminf(own, __shfl_xor_sync(ALL, own, step));
    }
    return own;
}

__device__ __forceinline__ float greatest_in_warp(float own)
{
    return -least_in_warp(-own);
}
