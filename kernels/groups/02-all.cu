// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the lanes of a tile vote: if `all` have the first one's key, they add by shuffles, and one adds their sum.
// Why:     one atomic addition instead of 32, where a whole warp has the same key.
// Expect:  a gain in proportion to the warps that agree; an element that is left out spoils its warp.

#ifndef TILE
#define TILE 32 // lanes: 4, 8, 16 or 32
#endif
#define NONE 0xffffffff // the key of an element that is left out

extern "C" __global__ void add(unsigned int n, const unsigned int* keys, const unsigned int* values, unsigned int* sums)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    const unsigned int key = i < n ? keys[i] : NONE;
    unsigned int value = i < n ? values[i] : 0;
    const unsigned int tile = (unsigned int)((1ull << TILE) - 1) << (threadIdx.x % 32 / TILE * TILE); // its lanes
    const unsigned int first = __shfl_sync(tile, key, 0, TILE);
    bool adds = key != NONE;
    if (__all_sync(tile, key == first)) {
        for (unsigned int step = TILE / 2; step > 0; step /= 2) {
            value += __shfl_down_sync(tile, value, step, TILE);
        }
        adds &= threadIdx.x % TILE == 0;
    }
    if (adds) {
        atomicAdd(&sums[key], value);
    }
}
