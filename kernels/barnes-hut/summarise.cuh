// SPDX-License-Identifier: MIT OR Apache-2.0
// Kernel 3: cells from the last one made to the root. Children have lower numbers than their parents.
extern "C" __global__ void summarise(int n, int nodes, OWN(float) x, OWN(float) y, OWN(float) z, volatile float* m,
    ONLY_READ(int) child, OWN(int) count, const int* bottom)
{
    const int stride = blockDim.x * gridDim.x;
    int cell = max(*bottom, n) + threadIdx.x + blockIdx.x * blockDim.x;
    while (__any_sync(0xffffffff, cell < nodes)) { // lanes stay together: what one makes ready, all see
        if (cell < nodes && sum_up(cell, n, x, y, z, m, child, count)) {
            cell += stride;
        }
    }
}
