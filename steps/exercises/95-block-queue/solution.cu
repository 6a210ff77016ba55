extern "C" __global__ void process(unsigned int n, const unsigned int* in, unsigned int* out, unsigned int* next)
{
    __shared__ unsigned int first;
    while (true) {
        if (threadIdx.x == 0) {
            first = atomicAdd(next, 64);
        }
        __syncthreads(); // the number is there
        const unsigned int own = first;
        __syncthreads(); // all have read it
        if (own >= n) {
            return;
        }
        const unsigned int i = own + threadIdx.x;
        if (i < n) {
            out[i] = 3 * in[i] + 1;
        }
    }
}
