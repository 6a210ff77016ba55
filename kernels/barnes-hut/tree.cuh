// SPDX-License-Identifier: MIT OR Apache-2.0
// The octree in arrays: nodes 0 to n − 1 are the bodies, the others are cells, of which the last one is the root and later
// ones have lower numbers. The children of a cell are eight numbers in `child`.

#define EMPTY -1 // no child here
#define LOCKED -2 // a thread is building a subtree here
#define EVEN_LEVELS 21 // of cells that are cut by place; below, bodies are told apart by their numbers
#define LEVELS 32 // more than there can be: 21, and 11 more for numbers of 31 bits

// In which eighth of a cell of a level a body lies.
__device__ __forceinline__ int octant(int level, int body, float px, float py, float pz, float cx, float cy, float cz)
{
    if (level >= EVEN_LEVELS) { // at one place, or nearly
        return body >> (3 * (level - EVEN_LEVELS)) & 7;
    }
    return (cx < px ? 1 : 0) + (cy < py ? 2 : 0) + (cz < pz ? 4 : 0);
}

// How kernels declare their arrays: those that they read; and those that they write, and nobody else reads meanwhile. What is volatile
// is loaded and stored each time, in memory that all multiprocessors share.
#ifndef ONLY_READ
#define ONLY_READ(type) volatile type*
#define OWN(type) volatile type*
#endif

// Whether any lane of the warp has something left to do.
#ifndef ANY_LEFT
#define ANY_LEFT(condition) __any_sync(0xffffffff, condition)
#endif
