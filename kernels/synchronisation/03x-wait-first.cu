// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the loop only waits; the work comes after it. This is "wrong on GPU, correct on CPU" of the tutorial.
// Why:     on a GPU before Volta lanes that leave a loop wait for the others of their warp, which wait for their flag.
// Expect:  a deadlock in lockstep (`--scheduling lockstep`); since Volta each lane makes progress, and it works.

extern "C" __global__ void build(unsigned int n, const unsigned int* in, unsigned int* tree, volatile unsigned int* ready, unsigned int* ticket)
{
    __shared__ unsigned int block;
    if (threadIdx.x == 0) {
        block = atomicAdd(ticket, 1); // blocks that took earlier ones run already: to wait for them is safe
    }
    __syncthreads(); // the ticket is known
    const unsigned int nth = threadIdx.x + block * blockDim.x;
    if (nth + 1 >= n) {
        return;
    }
    const unsigned int node = n - 1 - nth; // children before their parents
    unsigned int count;
    do {
        count = 0;
        for (unsigned int child = 2 * node; child <= 2 * node + 1; child++) {
            count += child >= n || ready[child] == 1;
        }
    } while (count < 2);
    __threadfence(); // the children's values are read after their flags
    unsigned int sum = 0;
    for (unsigned int child = 2 * node; child <= 2 * node + 1; child++) {
        sum += child >= n ? in[child - n] : *(volatile unsigned int*)&tree[child];
    }
    tree[node] = sum;
    __threadfence(); // the value is visible before the flag
    ready[node] = 1;
}
