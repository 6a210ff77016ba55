// SPDX-License-Identifier: MIT OR Apache-2.0
// Kernel 2: each body is inserted below the root, which box() has left.
extern "C" __global__ void build(int n, int nodes, ONLY_READ(float) x, ONLY_READ(float) y, ONLY_READ(float) z, OWN(float) m,
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
                cx += of_i & 1 ? r : -r;
                cy += of_i & 2 ? r : -r;
                cz += of_i & 4 ? r : -r;
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
        }
        __syncwarp();
        __threadfence(); // subtrees are visible before they are found
        if (subtree != EMPTY) {
            child[place] = subtree; // this opens the lock
            is_new = true;
        }
        i += i < n && is_new ? stride : 0;
    }
}
