extern "C" __global__ void build(unsigned int n, const unsigned int* in, unsigned int* tree, unsigned int* arrived)
{
    const unsigned int leaf = n + threadIdx.x + blockIdx.x * blockDim.x;
    if (leaf >= 2 * n) {
        return;
    }
    for (unsigned int node = leaf / 2; node > 0; node /= 2) {
        if (atomicAdd(&arrived[node], 1) == 0) {
            return; // the sibling is not there yet: its thread goes on
        }
        const volatile unsigned int* const known = tree;
        tree[node] = (2 * node >= n ? in[2 * node - n] : known[2 * node]) + (2 * node + 1 >= n ? in[2 * node + 1 - n] : known[2 * node + 1]);
    }
}
