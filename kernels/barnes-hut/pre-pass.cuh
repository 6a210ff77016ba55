// SPDX-License-Identifier: MIT OR Apache-2.0
// Kernel 3: cells from the last one made to the root. Children have lower numbers than their parents.
extern "C" __global__ void summarise(int n, int nodes, OWN(float) x, OWN(float) y, OWN(float) z, volatile float* m,
    ONLY_READ(int) child, OWN(int) count, const int* bottom)
{
    const int stride = blockDim.x * gridDim.x;
    const int first = max(*bottom, n) + threadIdx.x + blockIdx.x * blockDim.x;
    for (int cell = first; cell < nodes; cell += stride) {
        sum_up(cell, n, x, y, z, m, child, count);
    }
    int cell = first;
    while (__any_sync(0xffffffff, cell < nodes)) { // lanes stay together: what one makes ready, all see
        if (cell < nodes && (m[cell] >= 0.0f || sum_up(cell, n, x, y, z, m, child, count))) {
            cell += stride;
        }
    }
}
