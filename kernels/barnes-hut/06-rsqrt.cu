// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: rsqrtf(x) instead of 1.0f / sqrtf(x).
// Why:     the chip has an instruction for it; the exact square root and division are long sequences.
// Expect:  a gain as in the ladder of all pairs, and an error far below that of the method.

#define THREADS 128 // of a block of force()
#define WARPS (THREADS / 32)

#include "tree.cuh"
#include "box.cuh"
#include "advance.cuh"

// Kernel 2: each body is inserted below the root, which box() has left.
extern "C" __global__ void build(int n, int nodes, volatile float* x, volatile float* y, volatile float* z, volatile float* m,
    volatile int* child, volatile int* start, int* bottom, int* full, const float* half_side)
{
    const int stride = blockDim.x * gridDim.x;
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    while (i < n) {
        const float px = x[i], py = y[i], pz = z[i];
        int cell = nodes - 1, level = 0;
        float r = 0.5f * *half_side; // from the cell's centre to those of its children, along each axis
        int place = 8 * (cell - n) + octant(level, i, px, py, pz, x[cell], y[cell], z[cell]);
        int ch = child[place];
        while (ch >= n) { // down to a place that is no cell
            cell = ch;
            level++;
            r *= 0.5f;
            place = 8 * (cell - n) + octant(level, i, px, py, pz, x[cell], y[cell], z[cell]);
            ch = child[place];
        }
        if (ch != LOCKED && atomicCAS((int*)&child[place], ch, LOCKED) == ch) {
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
            i += stride;
        }
    }
}

// Mass, centre of mass and number of bodies of a cell; false if they are not known yet of each of its children.
__device__ bool sum_up(int cell, int n, volatile float* x, volatile float* y, volatile float* z, volatile float* m, volatile int* child,
    volatile int* count)
{
    for (int k = 0; k < 8; k++) {
        const int ch = child[8 * (cell - n) + k];
        if (ch >= n && m[ch] < 0.0f) { // a cell's mass is its flag
            return false;
        }
    }
    __threadfence(); // the children's values are read after their flags
    float mass = 0.0f, sx = 0.0f, sy = 0.0f, sz = 0.0f;
    int bodies = 0;
    for (int k = 0; k < 8; k++) {
        const int ch = child[8 * (cell - n) + k];
        if (ch >= 0) {
            const float part = m[ch];
            mass += part;
            sx += x[ch] * part;
            sy += y[ch] * part;
            sz += z[ch] * part;
            bodies += ch < n ? 1 : count[ch];
        }
    }
    const float inverse = mass > 0.0f ? 1.0f / mass : 0.0f;
    x[cell] = sx * inverse;
    y[cell] = sy * inverse;
    z[cell] = sz * inverse;
    count[cell] = bodies;
    __threadfence(); // the values are visible before the flag
    m[cell] = mass;
    return true;
}

// Kernel 3: cells from the last one made to the root. Children have lower numbers than their parents.
extern "C" __global__ void summarise(int n, int nodes, volatile float* x, volatile float* y, volatile float* z, volatile float* m,
    volatile int* child, volatile int* count, const int* bottom)
{
    const int stride = blockDim.x * gridDim.x;
    int cell = max(*bottom, n) + threadIdx.x + blockIdx.x * blockDim.x;
    while (cell < nodes) {
        if (sum_up(cell, n, x, y, z, m, child, count)) {
            cell += stride;
        }
    }
}

// Kernel 4: bodies in the order of the tree, from the root down. Children move to the front of their cell's eight places.
extern "C" __global__ void sort(int n, int nodes, volatile int* child, const int* count, volatile int* start, int* sorted, const int* bottom)
{
    const int lowest = max(*bottom, n), stride = blockDim.x * gridDim.x;
    int cell = nodes - 1 - threadIdx.x - blockIdx.x * blockDim.x;
    while (cell >= lowest) {
        int place = start[cell]; // where its bodies begin; negative: not known yet
        if (place >= 0) {
            int used = 0;
            for (int k = 0; k < 8; k++) {
                const int ch = child[8 * (cell - n) + k];
                if (ch != EMPTY) {
                    child[8 * (cell - n) + k] = EMPTY;
                    child[8 * (cell - n) + used++] = ch;
                    if (ch < n) {
                        sorted[place++] = ch;
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

// Kernel 5: a warp walks the tree for 32 bodies. `opening` is 1/θ²: a cell of side s at distance d is one mass if d² ≥ s²/θ².
extern "C" __global__ void force(int n, int nodes, float opening, float epssq, volatile float* x, volatile float* y, volatile float* z,
    volatile float* m, volatile int* child, const int* sorted, const float* half_side, float* ax, float* ay, float* az)
{
    __shared__ int cells[WARPS][LEVELS], nexts[WARPS][LEVELS]; // the way from the root, and which child comes next
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int at = threadIdx.x + blockIdx.x * blockDim.x; at - lane < n; at += blockDim.x * gridDim.x) {
        const int i = sorted[min(at, n - 1)]; // lanes without a body go along with the last one
        const float px = x[i], py = y[i], pz = z[i];
        float sx = 0.0f, sy = 0.0f, sz = 0.0f;
        int cell = nodes - 1, next = 0, depth = 0;
        float limit = *half_side * *half_side * opening; // of the children of the cell
        while (depth >= 0) {
            const int ch = next < 8 ? child[8 * (cell - n) + next++] : EMPTY;
            if (ch == EMPTY) { // done with this one
                depth--;
                limit *= 4.0f;
                __syncwarp(); // what lane 0 has kept is there
                if (depth >= 0) {
                    cell = cells[warp][depth];
                    next = nexts[warp][depth];
                }
            } else {
                const float dx = x[ch] - px, dy = y[ch] - py, dz = z[ch] - pz;
                const float dsq = dx * dx + dy * dy + dz * dz;
                if (__all_sync(0xffffffff, ch < n || dsq >= limit)) {
                    const float dinv = rsqrtf(dsq + epssq);
                    const float scale = m[ch] * dinv * dinv * dinv;
                    sx += dx * scale;
                    sy += dy * scale;
                    sz += dz * scale;
                } else {
                    __syncwarp(); // all have what was kept here before
                    if (lane == 0) {
                        cells[warp][depth] = cell;
                        nexts[warp][depth] = next;
                    }
                    depth++;
                    limit *= 0.25f;
                    cell = ch;
                    next = 0;
                }
            }
        }
        if (at < n) {
            ax[i] = sx;
            ay[i] = sy;
            az[i] = sz;
        }
    }
}
