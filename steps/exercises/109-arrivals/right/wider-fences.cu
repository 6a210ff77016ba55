// Fences of the whole system order what those of the device do.
extern "C" __global__ void build(unsigned int n, const unsigned int* in, unsigned int* tree, unsigned int* arrived)
{
    const unsigned int leaf = n + threadIdx.x + blockIdx.x * blockDim.x;
    if (leaf >= 2 * n) {
        return;
    }
    unsigned int node = leaf / 2;
    while (node > 0) {
        __threadfence_system();
        if (atomicOr(&arrived[node], 1) == 0) {
            return;
        }
        __threadfence_system();
        unsigned int sum = 0;
        for (unsigned int child = 2 * node; child <= 2 * node + 1; child++) {
            sum += child >= n ? in[child - n] : *(const volatile unsigned int*)&tree[child];
        }
        tree[node] = sum;
        node /= 2;
    }
}
