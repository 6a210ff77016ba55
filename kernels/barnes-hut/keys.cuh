// SPDX-License-Identifier: MIT OR Apache-2.0
// The kernels `box` and `keys`: where each body lies on a curve that visits every octant of space before it goes on to the next.
// Bodies with the same first digits of their keys, to base 8, are the bodies of one cell of the octree.

#include "radix.cuh"

#define BOXES 256 // blocks of the kernel `box`, and threads of a block of `keys`
#define BOX_THREADS 512 // of a block of the kernel `box`

// What `box` knows of the bodies of a block: least and greatest coordinates.
struct Box {
    float low[3], high[3];
};

// Bounds of what the threads of a block of `WARPS` warps have, for thread 0.
template <int WARPS> __device__ __forceinline__ Box bounds(Box own)
{
    __shared__ Box boxes[WARPS];
#pragma unroll
    for (int axis = 0; axis < 3; axis++) {
        own.low[axis] = least_in_warp(own.low[axis]);
        own.high[axis] = greatest_in_warp(own.high[axis]);
    }
    if (threadIdx.x % WARP == 0) {
        boxes[threadIdx.x / WARP] = own;
    }
    __syncthreads(); // each warp's box is there
    for (int w = 0; w < WARPS; w++) {
#pragma unroll
        for (int axis = 0; axis < 3; axis++) {
            own.low[axis] = fminf(own.low[axis], boxes[w].low[axis]);
            own.high[axis] = fmaxf(own.high[axis], boxes[w].high[axis]);
        }
    }
    return own;
}

// A box of the bodies of each block, and zeros for the counters of the sort.
extern "C" __global__ void __launch_bounds__(BOX_THREADS) box(int n, const float4 *body, Box *boxes, unsigned int *counter)
{
    const int first = threadIdx.x + blockIdx.x * blockDim.x, threads = blockDim.x * gridDim.x;
    const int counters = STATES + PASSES * ((n + SORT_TILE - 1) / SORT_TILE) * DIGITS;
    for (int c = first; c < counters; c += threads) {
        counter[c] = 0;
    }
    float4 p = body[first < n ? first : 0];
    Box own = {{p.x, p.y, p.z}, {p.x, p.y, p.z}};
    for (int i = first; i < n; i += threads) {
        p = body[i];
        const float at[3] = {p.x, p.y, p.z};
#pragma unroll
        for (int axis = 0; axis < 3; axis++) {
            own.low[axis] = fminf(own.low[axis], at[axis]);
            own.high[axis] = fmaxf(own.high[axis], at[axis]);
        }
    }
    own = bounds<BOX_THREADS / WARP>(own);
    if (threadIdx.x == 0) {
        boxes[blockIdx.x] = own;
    }
}

// The bits of a coordinate with two zeros before each: bit b goes to 3 b.
__device__ __forceinline__ Key spread(unsigned int x)
{
    Key key = x; // of at most 21 bits
    key = (key | key << 32) & 0x001f00000000ffffull;
    key = (key | key << 16) & 0x001f0000ff0000ffull;
    key = (key | key << 8) & 0x100f00f00f00f00full;
    key = (key | key << 4) & 0x10c30c30c30c30c3ull;
    return (key | key << 2) & 0x1249249249249249ull;
}

#ifdef HILBERT
// From coordinates to those whose interleaved bits are the place on Hilbert's curve: J. Skilling, "Programming the Hilbert
// curve", AIP Conference Proceedings 707 (2004). From the largest cubes to the smallest, undoes how each lies in its parent.
__device__ __forceinline__ void along_curve(unsigned int x[3])
{
#pragma unroll
    for (unsigned int bit = 1u << (LEVELS - 1); bit > 1; bit /= 2) {
        const unsigned int below = bit - 1;
#pragma unroll
        for (int axis = 0; axis < 3; axis++) {
            const unsigned int exchange = x[axis] & bit ? 0 : (x[0] ^ x[axis]) & below;
            x[0] ^= x[axis] & bit ? below : exchange;
            x[axis] ^= exchange;
        }
    }
    x[1] ^= x[0];
    x[2] ^= x[1];
    unsigned int flip = 0;
#pragma unroll
    for (unsigned int bit = 1u << (LEVELS - 1); bit > 1; bit /= 2) {
        flip ^= x[2] & bit ? bit - 1 : 0;
    }
    x[0] ^= flip;
    x[1] ^= flip;
    x[2] ^= flip;
}
#endif

// The cube around all boxes: its corner, and how many cells of the last level there are in a unit of length.
__device__ __forceinline__ float4 cube(const Box *boxes)
{
    __shared__ float4 all;
    const Box own = bounds<BOXES / WARP>(boxes[threadIdx.x]);
    if (threadIdx.x == 0) {
        float half = 1e-30f; // of the side; bodies may all be at one place
#pragma unroll
        for (int axis = 0; axis < 3; axis++) {
            half = fmaxf(half, 0.5f * (own.high[axis] - own.low[axis]));
        }
        all = make_float4(0.5f * (own.low[0] + own.high[0]) - half, 0.5f * (own.low[1] + own.high[1]) - half,
            0.5f * (own.low[2] + own.high[2]) - half, (1 << (LEVELS - 1)) / half);
    }
    __syncthreads(); // the cube is there
    return all;
}

// In which of the smallest cells a coordinate lies; what is on a border belongs to the cell below.
__device__ __forceinline__ unsigned int cell_of(float x, float corner, float cells)
{
    return (unsigned int)fminf(fmaxf(ceilf((x - corner) * cells) - 1.0f, 0.0f), (1 << LEVELS) - 1);
}

__device__ __forceinline__ Key key_of(float4 p, float4 cube)
{
    unsigned int x[3] = {cell_of(p.x, cube.x, cube.w), cell_of(p.y, cube.y, cube.w), cell_of(p.z, cube.z, cube.w)};
#ifdef HILBERT
    along_curve(x);
#endif
    return spread(x[0]) << 2 | spread(x[1]) << 1 | spread(x[2]);
}

// Keys of all bodies, and how often each digit of the sort occurs.
extern "C" __global__ void __launch_bounds__(BOXES) keys(
    int n, const float4 *body, const Box *boxes, Key *key, int *place, unsigned int *counter)
{
    __shared__ unsigned int own[PASSES][DIGITS];
    for (int pass = 0; pass < PASSES; pass++) {
        own[pass][threadIdx.x] = 0; // there are as many threads as digits
    }
    const float4 whole = cube(boxes); // a barrier, too
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
        const Key k = key_of(body[i], whole);
        key[i] = k;
        place[i] = i;
#pragma unroll
        for (int pass = 0; pass < PASSES; pass++) {
            atomicAdd(&own[pass][digit_of(k, pass)], 1);
        }
    }
    __syncthreads(); // all are counted
    for (int pass = 0; pass < PASSES; pass++) {
        if (own[pass][threadIdx.x] > 0) {
            atomicAdd(&counter[pass * DIGITS + threadIdx.x], own[pass][threadIdx.x]);
        }
    }
}
