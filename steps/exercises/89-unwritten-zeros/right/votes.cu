// Places by votes and the counts of warps, in the order of the numbers.
__device__ float expensive(float x)
{
    for (int round = 0; round < 32; ++round) {
        x = x / (1.0f + x) + x;
    }
    return x;
}

extern "C" __global__ void process(unsigned int n, const float* in, float* out)
{
    __shared__ unsigned int found[128], counts[4];
    const unsigned int t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * 128 + t;
    const bool is_found = i < n && in[i] > 0.9f;
    const unsigned int votes = __ballot_sync(0xffffffff, is_found);
    counts[warp] = __popc(votes);
    if (i < n && !is_found) {
        out[i] = 0.0f;
    }
    __syncthreads();
    unsigned int place = __popc(votes & ((1u << lane) - 1)), all = 0;
    for (unsigned int w = 0; w < 4; ++w) {
        place += w < warp ? counts[w] : 0;
        all += counts[w];
    }
    if (is_found) {
        found[place] = i;
    }
    __syncthreads();
    if (t < all) {
        out[found[t]] = expensive(in[found[t]]);
    }
}
