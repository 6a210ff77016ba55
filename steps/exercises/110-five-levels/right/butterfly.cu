// Every lane knows the sums of its tile; the lane with the right number writes each.
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
    const unsigned int leaf = n / 32 * 32 + threadIdx.x + blockIdx.x * blockDim.x, first = leaf / 32 * 32;
    const bool is_whole = first >= n && first + 32 <= 2 * n;
    if (is_whole) {
        unsigned int sum = in[leaf - n], node = leaf;
        for (unsigned int step = 1; step < 32; step *= 2) {
            sum += __shfl_xor_sync(0xffffffff, sum, step);
            node /= 2;
            if ((leaf & (2 * step - 1)) == 2 * step - 1) {
                tree[node] = sum;
            }
        }
        if (leaf % 32 == 31) {
            up(n, in, tree, arrived, node);
        }
    } else if (leaf >= n && leaf < 2 * n) {
        up(n, in, tree, arrived, leaf);
    }
}
