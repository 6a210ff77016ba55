// SPDX-License-Identifier: MIT OR Apache-2.0
// What lanes and warps add up. `blockDim.x` is a multiple of 32.

#define ALL 0xffffffff // lanes

// The sum of the numbers of each `LANES` lanes of a warp, in all of them.
template <int LANES = 32> __device__ __forceinline__ float sum_lanes(float own)
{
#pragma unroll
    for (int step = LANES / 2; step > 0; step /= 2) {
        own += __shfl_xor_sync(ALL, own, step);
    }
    return own;
}

// The sum of a block, in all its threads. `parts` has a place for each of 32 warps, which no other sum needs.
__device__ __forceinline__ float sum_block(float own, float *parts)
{
    const int lane = threadIdx.x % 32;
    own = sum_lanes(own);
    if (lane == 0) {
        parts[threadIdx.x / 32] = own;
    }
    __syncthreads(); // each warp's part is there
    return sum_lanes(lane < blockDim.x / 32 ? parts[lane] : 0.0f);
}
