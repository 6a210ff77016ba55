// The nodes of a tile are added in shared memory of the warp.
// From a node whose value is known up to the root, as long as the other child is there.
__device__ void up(unsigned int n, const unsigned int* in, unsigned int* tree, unsigned int* arrived, unsigned int node)
{
    const volatile unsigned int* const known = tree;
    while (node /= 2) {
        __threadfence();
        if (atomicAdd(&arrived[node], 1) == 0) {
            return;
        }
        __threadfence();
        unsigned int sum = 0;
        for (unsigned int child = 2 * node; child <= 2 * node + 1; child++) {
            sum += child >= n ? in[child - n] : known[child];
        }
        tree[node] = sum;
    }
}

extern "C" __global__ void build(unsigned int n, const unsigned int* in, unsigned int* tree, unsigned int* arrived)
{
    __shared__ unsigned int all[32][64];
    const unsigned int leaf = n / 32 * 32 + threadIdx.x + blockIdx.x * blockDim.x, lane = leaf % 32;
    unsigned int* const nodes = all[threadIdx.x / 32]; // as the tree's: children of k are 2 k and 2 k + 1
    if (leaf - lane < n || leaf - lane + 32 > 2 * n) {
        if (leaf >= n && leaf < 2 * n) {
            up(n, in, tree, arrived, leaf);
        }
        return;
    }
    nodes[32 + lane] = in[leaf - n];
    __syncwarp();
    for (unsigned int level = 16; level > 0; level /= 2) {
        if (lane < level) {
            const unsigned int sum = nodes[2 * (level + lane)] + nodes[2 * (level + lane) + 1];
            nodes[level + lane] = sum;
            tree[leaf / 32 * level + lane] = sum;
        }
        __syncwarp();
    }
    if (lane == 0) {
        up(n, in, tree, arrived, leaf / 32);
    }
}
