// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the language. Ten lines of C over scalar arrays, and the C compiler's best options.
// Why:     a yardstick: what a good compiler makes of a plain loop, told only which sums it may reorder.
// Expect:  all cores and their widest vectors. What is above it was gained by hand.

#include <math.h>

void force(int n, const float *mass, const float *x, const float *y, const float *z,
           float *ax, float *ay, float *az, float softening, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < n; i += 4) { // four bodies at a time: n is a multiple of 4
        float sx[4] = {0}, sy[4] = {0}, sz[4] = {0};
#pragma omp simd reduction(+ : sx, sy, sz)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < 4; k++) {
                const float dx = x[j] - x[i + k], dy = y[j] - y[i + k], dz = z[j] - z[i + k];
                const float dinv = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + softening);
                const float scale = mass[j] * dinv * dinv * dinv;
                sx[k] += dx * scale, sy[k] += dy * scale, sz[k] += dz * scale;
            }
        for (int k = 0; k < 4; k++) ax[i + k] = sx[k], ay[i + k] = sy[k], az[i + k] = sz[k];
    }
}
