// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a thread first waits for its lock, in a loop, and then works and opens it, as a program for a CPU does.
// Why:     that is how a lock is used where each thread has a core of its own.
// Expect:  a deadlock where lanes run in lockstep: those that wait loop, and the one that has the lock stands at the end of their loop.

#include "tree.cuh"
#include "box.cuh"
#include "advance.cuh"
#include "sum-up.cuh"
#include "summarise.cuh"

// Kernel 2: each body is inserted below the root, which box() has left.
extern "C" __global__ void build(int n, int nodes, volatile float* x, volatile float* y, volatile float* z, volatile float* m,
    volatile int* child, volatile int* start, int* bottom, int* full, const float* half_side)
{
    const int stride = blockDim.x * gridDim.x;
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    for (; i < n; i += stride) {
        const float px = x[i], py = y[i], pz = z[i];
        int cell = nodes - 1, level = 0;
        float r = 0.5f * *half_side; // from the cell's centre to those of its children, along each axis
        int place = 8 * (cell - n) + octant(level, i, px, py, pz, x[cell], y[cell], z[cell]);
        int ch = LOCKED;
        while (ch == LOCKED || atomicCAS((int*)&child[place], ch, LOCKED) != ch) { // until the lock is this thread's
            ch = child[place];
            while (ch >= n) { // down to a place that is no cell
                cell = ch;
                level++;
                r *= 0.5f;
                place = 8 * (cell - n) + octant(level, i, px, py, pz, x[cell], y[cell], z[cell]);
                ch = child[place];
            }
        }
        int subtree = ch == EMPTY ? i : ch;
        if (ch != EMPTY) { // a body is there: cells until the two part
            const float qx = x[ch], qy = y[ch], qz = z[ch];
            float cx = x[cell], cy = y[cell], cz = z[cell];
            int to = place, of_i = place % 8, of_ch = of_i;
            do {
                const int fresh = atomicSub(bottom, 1) - 1;
                if (fresh < n) { // no more cells: the host says so
                    *full = 1;
                    break;
                }
                cx += of_i & 1 ? r : -r;
                cy += of_i & 2 ? r : -r;
                cz += of_i & 4 ? r : -r;
                x[fresh] = cx;
                y[fresh] = cy;
                z[fresh] = cz;
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
        }
        __threadfence(); // the subtree is visible before it is found
        child[place] = subtree; // this opens the lock
    }
}

// Kernel 5: each body walks the tree. `opening` is 1/θ²: a cell of side s at distance d is one mass if d² ≥ s²/θ².
extern "C" __global__ void force(int n, int nodes, float opening, float epssq, volatile float* x, volatile float* y, volatile float* z,
    volatile float* m, volatile int* child, const float* half_side, float* ax, float* ay, float* az)
{
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
        const float px = x[i], py = y[i], pz = z[i];
        float sx = 0.0f, sy = 0.0f, sz = 0.0f;
        int cell[LEVELS], next[LEVELS]; // the way from the root, and which child comes next
        int depth = 0;
        float limit = *half_side * *half_side * opening; // of the children of the cell
        cell[0] = nodes - 1;
        next[0] = 0;
        while (depth >= 0) {
            if (next[depth] == 8) { // done with this one
                depth--;
                limit *= 4.0f;
                continue;
            }
            const int ch = child[8 * (cell[depth] - n) + next[depth]++];
            if (ch >= 0) {
                const float dx = x[ch] - px, dy = y[ch] - py, dz = z[ch] - pz;
                const float dsq = dx * dx + dy * dy + dz * dz;
                if (ch < n || dsq >= limit) {
                    const float dinv = 1.0f / sqrtf(dsq + epssq);
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
