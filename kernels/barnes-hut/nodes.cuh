// SPDX-License-Identifier: MIT OR Apache-2.0
// The octree of sorted keys, in three launches whatever its depth. A cell of level L is the bodies that share L digits; it is split
// if they are more than BUCKET, that is, if its first body shares L digits with the one BUCKET places on. So each body knows by itself
// which nodes begin with it: those of a range of levels, of which the last is a leaf. Nodes are numbered level by level, so that
// the children of a cell are neighbours; the number of a node is that of nodes before it, a sum over levels and bodies.

#define BUCKET 16 // bodies of a leaf at most
#define DEPTHS 32 // levels there can be: digits of keys, then those of the bodies' numbers, for bodies with the same key
#define TREE_TILE 512 // bodies, and threads, of a block
#define TREE_WARPS (TREE_TILE / WARP)

// Levels of the nodes that begin with a body: from `top` to `leaf`; none if `top` is greater.
struct Levels {
    unsigned char top, leaf;
};

// Digits to base 8 that the numbers of `n` bodies need.
__device__ __forceinline__ int number_digits(int n)
{
    return (WARP - __clz(n - 1) + 2) / 3;
}

// How many digits two bodies share; `i` and `j` differ. Bodies with the same key are told apart by their numbers.
__device__ __forceinline__ int shared_digits(Key a, Key b, int i, int j, int digits)
{
    if (a != b) {
        return (__clzll((long long)(a ^ b)) - (64 - 3 * LEVELS)) / 3;
    }
    return LEVELS + digits - (WARP - __clz(i ^ j) + 2) / 3;
}

// Nodes of each level that begin with a body of this tile.
extern "C" __global__ void __launch_bounds__(TREE_TILE) count(int n, const Key *key, Levels *levels, int *number)
{
    __shared__ char window[BUCKET + TREE_TILE]; // digits that all bodies of a window share, which begins BUCKET before the tile
    __shared__ unsigned char warps[TREE_WARPS][DEPTHS];
    const int i = threadIdx.x + blockIdx.x * TREE_TILE, digits = number_digits(n);
    for (int w = threadIdx.x; w < BUCKET + TREE_TILE; w += TREE_TILE) {
        const int j = w - BUCKET + (int)blockIdx.x * TREE_TILE;
        window[w] = j >= 0 && j + BUCKET < n ? shared_digits(key[j], key[j + BUCKET], j, j + BUCKET, digits) : -1;
    }
    __syncthreads(); // all windows are known
    int top = DEPTHS, leaf = 0;
    if (i < n) {
        top = i == 0 ? 0 : shared_digits(key[i - 1], key[i], i - 1, i, digits) + 1;
        int split = -1; // the last level at which a cell with more than BUCKET bodies has this one
#pragma unroll
        for (int w = 0; w <= BUCKET; w++) {
            split = max(split, window[threadIdx.x + w]);
        }
        leaf = split + 1;
        const Levels own = {(unsigned char)top, (unsigned char)leaf};
        levels[i] = own;
    }
    int mine = 0; // nodes of the level that is this lane's number
#pragma unroll
    for (int level = 0; level < DEPTHS; level++) {
        const unsigned int begin = __ballot_sync(ALL, top <= level && level <= leaf);
        mine = threadIdx.x % WARP == level ? __popc(begin) : mine;
    }
    warps[threadIdx.x / WARP][threadIdx.x % WARP] = mine;
    __syncthreads(); // all warps have counted
    if (threadIdx.x < DEPTHS) {
        int all = 0;
        for (int w = 0; w < TREE_WARPS; w++) {
            all += warps[w][threadIdx.x];
        }
        number[threadIdx.x * gridDim.x + blockIdx.x] = all;
    }
}

// For each level, a block: nodes in the tiles before each tile, and in all of them.
extern "C" __global__ void __launch_bounds__(1024) scan(int n, int *number, int *totals)
{
    const int tiles = (n + TREE_TILE - 1) / TREE_TILE;
    int *own = number + blockIdx.x * tiles;
    int before = 0;
    for (int first = 0; first < tiles; first += 1024) {
        const int tile = first + threadIdx.x;
        int all;
        const int its = tile < tiles ? own[tile] : 0;
        const int earlier = before_in_block<32>(its, &all);
        if (tile < tiles) {
            own[tile] = before + earlier;
        }
        before += all;
    }
    if (threadIdx.x == 0) {
        totals[blockIdx.x] = before;
    }
}

// A node. A cell has its children from `first` on, a leaf its bodies.
struct __align__(16) Node {
    float x, y, z, mass; // the centre of mass
    float spread; // sum of masses times squared distances from it
    int first;
    int count; // of its children or bodies; LEAF is added for a leaf
    int parent;
};
#define LEAF 256

// Nodes with their parents and what is first in them; of leaves also how many bodies they have.
extern "C" __global__ void __launch_bounds__(TREE_TILE) link(
    int n, const Levels *levels, const int *number, const int *totals, Node *node, int *child, int *arrived)
{
    __shared__ unsigned int begins[TREE_WARPS][DEPTHS]; // bodies of a warp with which a node of a level begins
    const int i = threadIdx.x + blockIdx.x * TREE_TILE, lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    int top = DEPTHS, leaf = 0;
    if (i < n) {
        top = levels[i].top;
        leaf = levels[i].leaf;
    }
#pragma unroll
    for (int level = 0; level < DEPTHS; level++) {
        const unsigned int begin = __ballot_sync(ALL, top <= level && level <= leaf);
        if (lane == level) {
            begins[warp][level] = begin;
        }
    }
    __syncthreads(); // all warps have said where nodes begin
    const int total = totals[lane];
    int base = before_in_warp(total) + number[lane * gridDim.x + blockIdx.x]; // the first node of this warp and of level `lane`
    for (int w = 0; w < warp; w++) {
        base += __popc(begins[w][lane]);
    }
    if (blockIdx.x == 0 && threadIdx.x == DEPTHS - 1) {
        child[base + total] = base + total; // after the last node: no level has nodes beyond
    }
    int above = 0; // nodes before this body's of the level above, and those of higher levels
    for (int level = 0; level < DEPTHS; level++) {
        const unsigned int begin = begins[warp][level];
        const int here = __shfl_sync(ALL, base, level) + __popc(begin & ((1u << lane) - 1));
        if (top < level && level <= leaf + 1) {
            child[above] = here; // of the node above: its first child, or of a leaf the first of the next cell
        }
        if (top <= level && level <= leaf) {
            node[here].parent = level == top ? above - 1 : above; // one above that began with an earlier body, or with this one
            arrived[here] = 0;
            if (level == leaf) {
                int end = i + 1;
                while (end < n && levels[end].top > leaf) {
                    end++;
                }
                node[here].first = i;
                node[here].count = LEAF + end - i;
            }
        }
        above = here;
    }
}
