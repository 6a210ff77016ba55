// An exchange says who is second, and stores are volatile.
extern "C" __global__ void build(unsigned int n, const unsigned int* in, unsigned int* tree, unsigned int* arrived)
{
    const unsigned int leaf = n + threadIdx.x + blockIdx.x * blockDim.x;
    if (leaf >= 2 * n) {
        return;
    }
    volatile unsigned int* const known = tree;
    for (unsigned int node = leaf >> 1; node != 0; node >>= 1) {
        __threadfence();
        if (atomicExch(&arrived[node], 1) == 0) {
            break;
        }
        __threadfence();
        const unsigned int left = 2 * node, right = left + 1;
        known[node] = (left >= n ? in[left - n] : known[left]) + (right >= n ? in[right - n] : known[right]);
    }
}
