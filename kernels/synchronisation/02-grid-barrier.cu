// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: one cooperative launch; all blocks wait for each other after each level.
// Why:     a barrier of the grid is an atomic addition for each block and a wait: shorter than the start of a launch.
// Expect:  fewer microseconds for each level. The fences make a level visible to the threads that read it.

#define TOP_BIT 0x80000000

__device__ unsigned int meeting; // its top bit changes when all blocks have met

__device__ void meet()
{
    __syncthreads(); // the block has written its nodes
    if (threadIdx.x == 0) {
        const unsigned int own = blockIdx.x == 0 ? TOP_BIT - (gridDim.x - 1) : 1;
        __threadfence(); // they are visible to other blocks
        const unsigned int before = atomicAdd(&meeting, own);
        while (((before ^ *(volatile unsigned int*)&meeting) & TOP_BIT) == 0) { // until all have been counted
        }
        __threadfence(); // what they wrote is read after that
    }
    __syncthreads(); // the whole grid has arrived
}

// The value of a node whose children are known. Leaves are the nodes from n on.
__device__ unsigned int leaf_or_node(unsigned int n, const unsigned int* in, const unsigned int* tree, unsigned int node)
{
    return node >= n ? in[node - n] : tree[node];
}

extern "C" __global__ void build(unsigned int n, const unsigned int* in, unsigned int* tree)
{
    const unsigned int threads = gridDim.x * blockDim.x;
    unsigned int end = n;
    for (unsigned int first = 1u << (31 - __clz(n - 1 | 1)); first > 0; first /= 2) { // of the level
        for (unsigned int node = first + threadIdx.x + blockIdx.x * blockDim.x; node < end; node += threads) {
            tree[node] = leaf_or_node(n, in, tree, 2 * node) + leaf_or_node(n, in, tree, 2 * node + 1);
        }
        end = min(end, first);
        meet();
    }
}
