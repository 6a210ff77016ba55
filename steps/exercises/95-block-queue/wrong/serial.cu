extern "C" __global__ void process(unsigned int n, const unsigned int* in, unsigned int* out, unsigned int* next)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (unsigned int i = atomicAdd(next, 1); i < n; i = atomicAdd(next, 1)) {
            out[i] = 3 * in[i] + 1;
        }
    }
}
