// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nobody waits: the thread that arrives second at a node goes on with it, the first one ends.
// Why:     an atomic addition says who is second; to it both children are known.
// Expect:  no polling. A thread a pair of leaves, and one of two ends at each level.

extern "C" __global__ void build(unsigned int n, const unsigned int* in, unsigned int* tree, unsigned int* arrived)
{
    const unsigned int leaf = n + threadIdx.x + blockIdx.x * blockDim.x;
    if (leaf >= 2 * n) {
        return;
    }
    for (unsigned int node = leaf / 2; node > 0; node /= 2) {
        __threadfence(); // what this thread wrote is visible before it is counted
        if (atomicAdd(&arrived[node], 1) == 0) {
            return; // the sibling is not there yet: its thread goes on
        }
        __threadfence(); // and what that wrote is read after it was counted
        const volatile unsigned int* const known = tree;
        tree[node] = (2 * node >= n ? in[2 * node - n] : known[2 * node]) + (2 * node + 1 >= n ? in[2 * node + 1 - n] : known[2 * node + 1]);
    }
}
