// Both blocks do all items.
extern "C" __global__ void process(unsigned int n, const unsigned int* in, unsigned int* out, unsigned int* next)
{
    for (unsigned int i = threadIdx.x; i < n; i += 64) {
        const unsigned int own = 3 * in[i] + 1;
        if (i / 64 % 2 == blockIdx.x) {
            out[i] = own;
        }
    }
    for (unsigned int i = threadIdx.x; i < n; i += 64) {
        const unsigned int own = 3 * in[i] + 1;
        if (i / 64 % 2 == blockIdx.x) {
            out[i] = own;
        }
    }
}
