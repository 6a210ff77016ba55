// SPDX-License-Identifier: MIT OR Apache-2.0
// Mean and variance of numbers that come one after the other, or in parts.

struct Moments {
    float count, mean;
    float squares; // of the distances from the mean: their sum
};

// Adds a number. The mean moves towards it, and the distance counts from the mean before and after.
__device__ __forceinline__ void add(Moments &all, float x)
{
    const float apart = x - all.mean;
    all.count += 1.0f;
    all.mean += apart / all.count;
    all.squares += apart * (x - all.mean);
}

// The moments of two parts together. Either may be empty.
__device__ __forceinline__ Moments merge(Moments a, Moments b)
{
    const float count = a.count + b.count, apart = b.mean - a.mean;
    const float share = count > 0.0f ? b.count / count : 0.0f;
    return {count, a.mean + apart * share, a.squares + b.squares + apart * apart * share * a.count};
}

// Those of the lanes of a warp, in all of them.
__device__ __forceinline__ Moments merge_lanes(Moments own)
{
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
        own = merge(own, {__shfl_xor_sync(ALL, own.count, step), __shfl_xor_sync(ALL, own.mean, step),
                          __shfl_xor_sync(ALL, own.squares, step)});
    }
    return own;
}

// Those of a block, in all its threads.
__device__ __forceinline__ Moments merge_block(Moments own)
{
    __shared__ Moments parts[32]; // of each warp
    const int lane = threadIdx.x % 32;
    own = merge_lanes(own);
    if (lane == 0) {
        parts[threadIdx.x / 32] = own;
    }
    __syncthreads(); // each warp's part is there
    return merge_lanes(lane < blockDim.x / 32 ? parts[lane] : Moments{0.0f, 0.0f, 0.0f});
}
