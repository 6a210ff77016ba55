// The nodes from the last to the first, in one thread.
extern "C" __global__ void build(unsigned int n, const unsigned int* in, unsigned int* tree, unsigned int* arrived)
{
    if (blockIdx.x > 0 || threadIdx.x > 0) {
        return;
    }
    for (unsigned int node = n - 1; node > 0; node--) {
        unsigned int sum = 0;
        for (unsigned int child = 2 * node; child <= 2 * node + 1; child++) {
            sum += child >= n ? in[child - n] : tree[child];
        }
        tree[node] = sum;
    }
}
