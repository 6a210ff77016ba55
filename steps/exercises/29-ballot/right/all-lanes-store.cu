extern "C" __global__ void count_large(const float* in, unsigned int* out)
{
    const unsigned int t = blockIdx.x * blockDim.x + threadIdx.x, warp = t / warpSize;
    const bool is_large = in[t] > 0.5f;
    const unsigned int votes = __ballot_sync(__activemask(), is_large ? 7 : 0);
    out[warp] = __popc(votes & 0xffff) + __popc(votes >> 16);
}
