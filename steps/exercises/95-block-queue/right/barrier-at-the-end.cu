extern "C" __global__ void process(unsigned int n, const unsigned int* in, unsigned int* out, unsigned int* next)
{
    __shared__ unsigned int first;
    do {
        if (threadIdx.x == 0) {
            first = atomicAdd(next, 64u);
        }
        __syncthreads();
        const unsigned int i = first + threadIdx.x;
        if (i < n) {
            out[i] = in[i] + in[i] + in[i] + 1;
        }
        if (first >= n) {
            break;
        }
        __syncthreads();
    } while (true);
}
