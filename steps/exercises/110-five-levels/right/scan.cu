// A scan of the tile has the sums of all nodes as differences.
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
    const unsigned int leaf = n / 32 * 32 + threadIdx.x + blockIdx.x * blockDim.x, lane = leaf % 32;
    if (leaf - lane < n || leaf - lane + 32 > 2 * n) {
        if (leaf >= n && leaf < 2 * n) {
            up(n, in, tree, arrived, leaf);
        }
        return;
    }
    unsigned int sum = in[leaf - n];
    for (unsigned int step = 1; step < 32; step *= 2) {
        const unsigned int before = __shfl_up_sync(0xffffffff, sum, step);
        sum += lane >= step ? before : 0;
    }
    for (unsigned int size = 2; size <= 32; size *= 2) {
        const unsigned int before = __shfl_up_sync(0xffffffff, sum, size % 32);
        if (lane % size == size - 1) {
            tree[leaf / size] = lane >= size ? sum - before : sum;
        }
    }
    if (lane == 31) {
        up(n, in, tree, arrived, leaf / 32);
    }
}
