// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a warp walks as one: a cell is opened for all lanes if any lane is near it, and the stack is the warp's, in shared memory.
// Why:     lanes that part execute one after the other. Together they load each node once, and a stack per thread lies in slow memory.
// Expect:  several times faster, though lanes now also open cells that only others are near to; and a little more accurate.

#define THREADS 128 // of a block of force()
#define WARPS (THREADS / 32)

#include "tree.cuh"
#include "box.cuh"
#include "advance.cuh"
#include "insert.cuh"
#include "sum-up.cuh"
#include "summarise.cuh"
#include "sort.cuh"

// Kernel 5: a warp walks the tree for 32 bodies. `opening` is 1/θ²: a cell of side s at distance d is one mass if d² ≥ s²/θ².
extern "C" __global__ void force(int n, int nodes, float opening, float epssq, volatile float* x, volatile float* y, volatile float* z,
    volatile float* m, volatile int* child, const int* sorted, const float* half_side, float* ax, float* ay, float* az)
{
    __shared__ int cells[WARPS][LEVELS], nexts[WARPS][LEVELS]; // the way from the root, and which child comes next
    __shared__ bool near[WARPS];
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
                near[warp] = false;
                __syncwarp(); // before any lane says otherwise
                if (ch >= n && dsq < limit) {
                    near[warp] = true;
                }
                __syncwarp(); // all lanes have spoken
                if (!near[warp]) {
                    const float dinv = 1.0f / sqrtf(dsq + epssq);
                    const float scale = m[ch] * dinv * dinv * dinv;
                    sx += dx * scale;
                    sy += dy * scale;
                    sz += dz * scale;
                } else {
                    if (lane == 0) {
                        cells[warp][depth] = cell;
                        nexts[warp][depth] = next;
                    }
                    depth++;
                    limit *= 0.25f;
                    cell = ch;
                    next = 0;
                }
                __syncwarp(); // all have read what they said
            }
        }
        if (at < n) {
            ax[i] = sx;
            ay[i] = sy;
            az[i] = sz;
        }
    }
}
