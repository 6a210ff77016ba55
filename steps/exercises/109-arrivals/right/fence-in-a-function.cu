__device__ bool is_second(unsigned int* count)
{
    __threadfence();
    const bool second = atomicAdd(count, 1) != 0;
    __threadfence();
    return second;
}

__device__ unsigned int value(unsigned int n, const unsigned int* in, const volatile unsigned int* tree, unsigned int node)
{
    return node < n ? tree[node] : in[node - n];
}

extern "C" __global__ void build(unsigned int n, const unsigned int* in, unsigned int* tree, unsigned int* arrived)
{
    const unsigned int leaf = n + threadIdx.x + blockIdx.x * blockDim.x;
    for (unsigned int node = leaf / 2; leaf < 2 * n && node > 0 && is_second(arrived + node); node /= 2) {
        tree[node] = value(n, in, tree, 2 * node) + value(n, in, tree, 2 * node + 1);
    }
}
