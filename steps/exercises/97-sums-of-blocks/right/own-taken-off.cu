// What is before a block is its scanned sum without its own, which is in its last result.
// The sum of a thread's number and all before it in its block, by shuffles; and that of the whole block.
__device__ uint2 in_block(unsigned int own)
{
    __shared__ unsigned int of_warp[4];
    const unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (unsigned int step = 1; step < 32; step *= 2) {
        const unsigned int before = __shfl_up_sync(0xffffffff, own, step);
        own += lane >= step ? before : 0;
    }
    if (lane == 31) {
        of_warp[warp] = own;
    }
    __syncthreads();
    unsigned int all = 0;
    for (unsigned int w = 0; w < 4; ++w) {
        own += w < warp ? of_warp[w] : 0;
        all += of_warp[w];
    }
    return make_uint2(own, all);
}

extern "C" __global__ void scan(unsigned int n, const unsigned int* in, unsigned int* out, unsigned int* sums)
{
    const unsigned int i = blockIdx.x * 128 + threadIdx.x;
    const uint2 sum = in_block(i < n ? in[i] : 0);
    if (i < n) {
        out[i] = sum.x;
    }
    if (threadIdx.x == 127) {
        sums[blockIdx.x] = sum.x;
    }
}

extern "C" __global__ void add(unsigned int n, unsigned int* out, const unsigned int* sums)
{
    const unsigned int first = blockIdx.x * 128, i = first + threadIdx.x;
    const unsigned int own = out[min(first + 127, n - 1)];
    __syncthreads(); // all have read it
    if (i < n) {
        out[i] += sums[blockIdx.x] - own;
    }
}
