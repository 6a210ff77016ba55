// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: one launch, no barrier: a thread waits until both children of its node are ready, and says that its own is.
// Why:     a node needs its two children and no others. The fence lets nobody see the flag before the value.
// Expect:  each node waits for the longest way below it, not for the slowest block of a level.

extern "C" __global__ void build(unsigned int n, const unsigned int* in, unsigned int* tree, volatile unsigned int* ready, unsigned int* ticket)
{
    __shared__ unsigned int block;
    if (threadIdx.x == 0) {
        block = atomicAdd(ticket, 1); // blocks that took earlier ones run already: to wait for them is safe
    }
    __syncthreads(); // the ticket is known
    const unsigned int nth = threadIdx.x + block * blockDim.x;
    const unsigned int lanes = __ballot_sync(0xffffffff, nth + 1 < n); // that have a node
    if (nth + 1 >= n) {
        return;
    }
    const unsigned int node = n - 1 - nth; // children before their parents
    bool done = false;
    do {
        unsigned int count = 0;
        for (unsigned int child = 2 * node; child <= 2 * node + 1; child++) {
            count += child >= n || ready[child] == 1;
        }
        if (count == 2 && !done) {
            __threadfence(); // the children's values are read after their flags
            unsigned int sum = 0;
            for (unsigned int child = 2 * node; child <= 2 * node + 1; child++) {
                sum += child >= n ? in[child - n] : *(volatile unsigned int*)&tree[child];
            }
            tree[node] = sum;
            __threadfence(); // the value is visible before the flag
            ready[node] = 1;
            done = true;
        }
    } while (__any_sync(lanes, !done)); // lanes stay together: none leaves while another waits for it
}
