// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: one of the tutorial's ideas is left out again. WITHOUT says which.
// Why:     what an idea brings depends on what else is there. The tutorial tells its worth at the end of the way.
// Expect:  most from the walk of a warp and from the order of the bodies; little from what only the tree's kernels gain by.

#ifndef WITHOUT
#define WITHOUT 0 // 1 rsqrtf, 2 recomputed data, 3 voting, 4 barrier, 5 pre-pass, 6 combined fence, 7 sorting, 8 one walk, 9 caches; 0 nothing
#endif

#define THREADS 128 // of a block of force()
#define WARPS (THREADS / 32)

#if WITHOUT != 9
#define ONLY_READ(type) const type*
#define OWN(type) type*
#endif
#if WITHOUT != 4
#define ANY_LEFT(condition) __syncthreads_or(condition)
#endif

#include "tree.cuh"
#include "box.cuh"
#include "advance.cuh"
#include "sum-up.cuh"
#if WITHOUT == 5
#include "summarise.cuh"
#else
#include "pre-pass.cuh"
#endif

#if WITHOUT == 1
#define rsqrtf(x) (1.0f / sqrtf(x))
#endif

#if WITHOUT == 3
// Whether all lanes say so, by a flag in shared memory.
__device__ __forceinline__ bool all_by_flag(bool own)
{
    __shared__ volatile bool all[32];
    const int warp = threadIdx.x / 32;
    all[warp] = true;
    __syncwarp(); // before any lane says otherwise
    if (!own) {
        all[warp] = false;
    }
    __syncwarp(); // all lanes have spoken
    const bool said = all[warp];
    __syncwarp(); // all have read what they said
    return said;
}
#define __all_sync(lanes, own) all_by_flag(own)
#endif

#if WITHOUT == 8
// Kernel 5: each lane walks the tree by itself.
extern "C" __global__ void force(int n, int nodes, float opening, float epssq, ONLY_READ(float) x, ONLY_READ(float) y, ONLY_READ(float) z,
    ONLY_READ(float) m, ONLY_READ(int) child, const int* sorted, const float* half_side, float* ax, float* ay, float* az)
{
    for (int at = threadIdx.x + blockIdx.x * blockDim.x; at < n; at += blockDim.x * gridDim.x) {
        const int i = sorted[at];
        const float px = x[i], py = y[i], pz = z[i];
        float sx = 0.0f, sy = 0.0f, sz = 0.0f;
        int cell[LEVELS], next[LEVELS]; // the way from the root, and which child comes next
        int depth = 0;
        float limit = *half_side * *half_side * opening; // of the children of the cell
        cell[0] = nodes - 1;
        next[0] = 0;
        while (depth >= 0) {
            const int ch = next[depth] < 8 ? child[8 * (cell[depth] - n) + next[depth]++] : EMPTY;
            if (ch == EMPTY) { // done with this one
                depth--;
                limit *= 4.0f;
            } else {
                const float dx = x[ch] - px, dy = y[ch] - py, dz = z[ch] - pz;
                const float dsq = dx * dx + dy * dy + dz * dz;
                if (ch < n || dsq >= limit) {
                    const float dinv = rsqrtf(dsq + epssq);
                    const float scale = m[ch] * dinv * dinv * dinv;
                    sx += dx * scale;
                    sy += dy * scale;
                    sz += dz * scale;
                } else {
                    depth++;
                    limit *= 0.25f;
                    cell[depth] = ch;
                    next[depth] = 0;
                }
            }
        }
        ax[i] = sx;
        ay[i] = sy;
        az[i] = sz;
    }
}
#else
#include "walk.cuh"
#endif

// Kernel 2: each body is inserted below the root, which box() has left.
extern "C" __global__ void build(int n, int nodes, OWN(float) x, OWN(float) y, OWN(float) z, OWN(float) m,
    volatile int* child, OWN(int) start, int* bottom, int* full, const float* half_side)
{
    const int stride = blockDim.x * gridDim.x, root = nodes - 1;
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int cell = root, level = 0, of_i = 0;
    float r, cx, cy, cz, px, py, pz;
    bool is_new = true; // a body that begins at the root
    while (ANY_LEFT(i < n)) { // lanes stay together
        if (i < n && is_new) {
            is_new = false;
            px = x[i], py = y[i], pz = z[i];
            cx = x[root], cy = y[root], cz = z[root];
            cell = root, level = 0;
            r = 0.5f * *half_side; // from the cell's centre to those of its children, along each axis
            of_i = octant(level, i, px, py, pz, cx, cy, cz);
        }
        int place = 0, subtree = EMPTY;
        if (i < n) {
            int ch = child[8 * (cell - n) + of_i];
            while (ch >= n) { // down to a place that is no cell
                cell = ch;
#if WITHOUT == 2
                cx = ((volatile float*)x)[cell], cy = ((volatile float*)y)[cell], cz = ((volatile float*)z)[cell];
#else
                cx += of_i & 1 ? r : -r;
                cy += of_i & 2 ? r : -r;
                cz += of_i & 4 ? r : -r;
#endif
                level++;
                r *= 0.5f;
                of_i = octant(level, i, px, py, pz, cx, cy, cz);
                ch = child[8 * (cell - n) + of_i];
            }
            place = 8 * (cell - n) + of_i;
            if (ch == EMPTY) { // nobody else needs to see anything of this body but its number
                is_new = atomicCAS((int*)&child[place], EMPTY, i) == EMPTY;
            } else if (ch != LOCKED && atomicCAS((int*)&child[place], ch, LOCKED) == ch) { // a body: cells until the two part
                subtree = ch;
                const float qx = x[ch], qy = y[ch], qz = z[ch];
                int to = place, of_ch = of_i;
                do {
                    const int fresh = atomicSub(bottom, 1) - 1;
                    if (fresh < n) { // no more cells: the host says so
                        *full = 1;
                        break;
                    }
                    cx += of_i & 1 ? r : -r;
                    cy += of_i & 2 ? r : -r;
                    cz += of_i & 4 ? r : -r;
#if WITHOUT == 2
                    ((volatile float*)x)[fresh] = cx, ((volatile float*)y)[fresh] = cy, ((volatile float*)z)[fresh] = cz;
#endif
                    m[fresh] = -1.0f; // not known yet
                    start[fresh] = -1;
                    for (int k = 0; k < 8; k++) {
                        child[8 * (fresh - n) + k] = EMPTY;
                    }
                    if (to == place) {
                        subtree = fresh;
                    } else {
                        child[to] = fresh;
                    }
                    level++;
                    r *= 0.5f;
                    of_ch = octant(level, ch, qx, qy, qz, cx, cy, cz);
                    of_i = octant(level, i, px, py, pz, cx, cy, cz);
                    child[8 * (fresh - n) + of_ch] = ch;
                    to = 8 * (fresh - n) + of_i;
                } while (of_i == of_ch);
                if (of_i != of_ch) {
                    child[to] = i;
                }
#if WITHOUT == 6
                __threadfence(); // a lane has its own: the subtree is visible before it is found
                child[place] = subtree; // this opens the lock
                subtree = EMPTY;
                is_new = true;
#endif
            }
        }
        __syncwarp();
#if WITHOUT != 6
        __threadfence(); // subtrees are visible before they are found
        if (subtree != EMPTY) {
            child[place] = subtree; // this opens the lock
            is_new = true;
        }
#endif
        i += i < n && is_new ? stride : 0;
    }
}

// Kernel 4: bodies in the order of the tree, from the root down. Children move to the front of their cell's eight places.
extern "C" __global__ void sort(int n, int nodes, OWN(int) child, const int* count, volatile int* start, int* sorted, const int* bottom)
{
    const int lowest = max(*bottom, n), stride = blockDim.x * gridDim.x;
    int cell = nodes - 1 - threadIdx.x - blockIdx.x * blockDim.x;
    while (ANY_LEFT(cell >= lowest)) { // lanes stay together
        int place = cell >= lowest ? start[cell] : -1; // where its bodies begin; negative: not known yet
        if (place >= 0) {
            int used = 0;
            for (int k = 0; k < 8; k++) {
                const int ch = child[8 * (cell - n) + k];
                if (ch != EMPTY) {
                    child[8 * (cell - n) + k] = EMPTY;
                    child[8 * (cell - n) + used++] = ch;
                    if (ch < n) {
                        sorted[WITHOUT == 7 ? ch : place] = ch;
                        place++;
                    } else {
                        start[ch] = place;
                        place += count[ch];
                    }
                }
            }
            cell -= stride;
        }
    }
}
