// A thread loads two neighbours as one pair; one thread adds the parts of the warps.
extern "C" __global__ void clear(unsigned int* sum)
{
    *sum = 0;
}

extern "C" __global__ void reduce(unsigned int n, const unsigned int* in, unsigned int* sum)
{
    __shared__ unsigned int part[8];
    const unsigned int t = threadIdx.x, i = 2 * (t + blockIdx.x * 256);
    unsigned int own = 0;
    if (i + 1 < n) {
        const uint2 pair = *(const uint2*)(in + i);
        own = pair.x + pair.y;
    } else if (i < n) {
        own = in[i];
    }
    for (int step = 16; step > 0; step /= 2) {
        own += __shfl_down_sync(0xffffffff, own, step);
    }
    if (t % 32 == 0) {
        part[t / 32] = own;
    }
    __syncthreads();
    if (t == 0) {
        atomicAdd(sum, part[0] + part[1] + part[2] + part[3] + part[4] + part[5] + part[6] + part[7]);
    }
}
