// SPDX-License-Identifier: MIT OR Apache-2.0
// The digits of a key, and the scan of one number for each thread of a block (all steps).

__device__ unsigned int digit_of(unsigned int key, unsigned int shift)
{
    return key >> shift & (DIGITS - 1);
}

__device__ unsigned int scan_warp(unsigned int own)
{
    for (unsigned int step = 1; step < 32; step *= 2) {
        const unsigned int before = __shfl_up_sync(0xffffffff, own, step);
        own += threadIdx.x % 32 >= step ? before : 0;
    }
    return own;
}

// The sum of what the threads before this one have, and of what all have.
__device__ unsigned int scan_block(unsigned int own, unsigned int& all)
{
    __shared__ unsigned int sum[WARPS];
    const unsigned int warp = threadIdx.x / 32;
    const unsigned int up_to = scan_warp(own);
    if (threadIdx.x % 32 == 31) {
        sum[warp] = up_to;
    }
    __syncthreads(); // each warp's sum is there
    unsigned int before = 0;
    all = 0;
    for (unsigned int w = 0; w < WARPS; w++) {
        before += w < warp ? sum[w] : 0;
        all += sum[w];
    }
    __syncthreads(); // all have read the sums
    return before + up_to - own;
}
