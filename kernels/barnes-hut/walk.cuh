// SPDX-License-Identifier: MIT OR Apache-2.0
// Kernel 5: a warp walks the tree for 32 bodies. `opening` is 1/θ²: a cell of side s at distance d is one mass if d² ≥ s²/θ².
extern "C" __global__ void force(int n, int nodes, float opening, float epssq, ONLY_READ(float) __restrict__ x,
    ONLY_READ(float) __restrict__ y, ONLY_READ(float) __restrict__ z, ONLY_READ(float) __restrict__ m, ONLY_READ(int) __restrict__ child,
    const int* sorted, const float* half_side, float* ax, float* ay, float* az)
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
