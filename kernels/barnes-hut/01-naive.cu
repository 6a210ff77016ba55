// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet. Six kernels: box, tree, centres of mass, (no order,) forces, advance; a lock for each insertion.
// Why:     each thread does what a program for a CPU would do, and so shows what that costs on a GPU.
// Expect:  threads of a warp walk different ways through the tree, and one warp per multiprocessor hides no latency.

#include "tree.cuh"
#include "box.cuh"
#include "advance.cuh"
#include "insert.cuh"
#include "sum-up.cuh"
#include "summarise.cuh"

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
