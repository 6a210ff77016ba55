// Every warp adds the parts of all; one of them adds to the sum.
extern "C" __global__ void clear(unsigned int* sum)
{
    *sum = 0;
}

__device__ unsigned int of_lanes(unsigned int own, int lanes)
{
    for (int step = 1; step < lanes; step *= 2) {
        own += __shfl_xor_sync(0xffffffff, own, step);
    }
    return own;
}

extern "C" __global__ void reduce(unsigned int n, const unsigned int* in, unsigned int* sum)
{
    __shared__ unsigned int part[8];
    const int t = threadIdx.x;
    unsigned int own = 0;
    for (unsigned int i = t + blockIdx.x * 512; i < n && i < 512 * (blockIdx.x + 1); i += 256) {
        own += in[i];
    }
    part[t / 32] = of_lanes(own, 32);
    __syncthreads();
    own = of_lanes(part[t % 8], 8);
    if (t == 255) {
        atomicAdd(sum, own);
    }
}
