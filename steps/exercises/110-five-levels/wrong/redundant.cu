// A thread for each node adds all leaves below it.
extern "C" __global__ void build(unsigned int n, const unsigned int* in, unsigned int* tree, unsigned int* arrived)
{
    const unsigned int node = threadIdx.x + blockIdx.x * blockDim.x;
    if (node == 0 || node >= n) {
        return;
    }
    unsigned int sum = 0;
    for (unsigned int first = node, count = 1; first < 2 * n; first *= 2, count *= 2) {
        for (unsigned int below = first; below < first + count; below++) {
            sum += below >= n && below < 2 * n ? in[below - n] : 0;
        }
    }
    tree[node] = sum;
}
