// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a tile of 32 lanes adds its leaves by shuffles, five levels at once; its first lane goes on as before.
// Why:     lanes of a tile read each other's registers: no memory, no fence, no atomic addition.
// Expect:  31 of 32 nodes cost a shuffle instead of two fences and an atomic addition.

#ifndef TILE
#define TILE 32 // lanes that add by shuffles: 2, 4, 8, 16 or 32
#endif

extern "C" __global__ void build(unsigned int n, const unsigned int* in, unsigned int* tree, unsigned int* arrived)
{
    unsigned int node = n / TILE * TILE + threadIdx.x + blockIdx.x * blockDim.x; // tiles are those of the tree
    const unsigned int first = node / TILE * TILE;
    if (first >= n && first + TILE <= 2 * n) {
        unsigned int sum = in[node - n];
        const unsigned int lane = node % TILE;
        const unsigned int tile = (unsigned int)((1ull << TILE) - 1) << (threadIdx.x % 32 / TILE * TILE);
        for (unsigned int step = 1; step < TILE; step *= 2) {
            sum += __shfl_down_sync(tile, sum, step, TILE);
            node /= 2;
            if (lane % (2 * step) == 0) {
                tree[node] = sum;
            }
        }
        if (lane > 0) {
            return;
        }
    } else if (node < n || node >= 2 * n) {
        return;
    }
    for (node /= 2; node > 0; node /= 2) {
        __threadfence(); // what this thread wrote is visible before it is counted
        if (atomicAdd(&arrived[node], 1) == 0) {
            return; // the sibling is not there yet: its thread goes on
        }
        __threadfence(); // and what that wrote is read after it was counted
        const volatile unsigned int* const known = tree;
        tree[node] = (2 * node >= n ? in[2 * node - n] : known[2 * node]) + (2 * node + 1 >= n ? in[2 * node + 1 - n] : known[2 * node + 1]);
    }
}
