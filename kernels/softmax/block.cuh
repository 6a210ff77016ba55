// SPDX-License-Identifier: MIT OR Apache-2.0
// What the threads of a block find together. `blockDim.x` is a multiple of 32.

#define LEAST -3.402823466e38f // no element is less, but minus infinity
#define ALL 0xffffffff // lanes

struct Max {
    __device__ static float of(float a, float b) { return fmaxf(a, b); }
};

struct Sum {
    __device__ static float of(float a, float b) { return a + b; }
};

// The maximum or the sum of the values of a warp, or of each `LANES` of its lanes, in all of them.
template <typename Of, int LANES = 32> __device__ __forceinline__ float of_warp(float own)
{
#pragma unroll
    for (int step = LANES / 2; step > 0; step /= 2) {
        own = Of::of(own, __shfl_xor_sync(ALL, own, step));
    }
    return own;
}

// The same of a block, in all its threads. Values of threads that have none are `neutral`. Maximum and sum have parts of their own;
// between two of the same there must be a barrier.
template <typename Of> __device__ __forceinline__ float of_block(float own, float neutral)
{
    __shared__ float part[32]; // of each warp
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    own = of_warp<Of>(own);
    if (lane == 0) {
        part[warp] = own;
    }
    __syncthreads(); // each warp's part is there
    return of_warp<Of>(lane < blockDim.x / 32 ? part[lane] : neutral);
}
