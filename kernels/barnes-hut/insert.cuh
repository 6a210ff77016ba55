// SPDX-License-Identifier: MIT OR Apache-2.0
// Kernel 2: each body is inserted below the root, which box() has left.
extern "C" __global__ void build(int n, int nodes, volatile float* x, volatile float* y, volatile float* z, volatile float* m,
    volatile int* child, volatile int* start, int* bottom, int* full, const float* half_side)
{
    const int stride = blockDim.x * gridDim.x;
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    while (__any_sync(0xffffffff, i < n)) { // lanes stay together
        if (i >= n) {
            continue;
        }
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
