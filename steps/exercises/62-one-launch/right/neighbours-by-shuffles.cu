#define ROUNDS 16

extern "C" __global__ void smooth(float* data)
{
    __shared__ float firsts[4], lasts[4];
    const unsigned int t = threadIdx.x, lane = t % 32, warp = t / 32;
    float own = data[blockIdx.x * 128 + t];
    for (unsigned int round = 0; round < ROUNDS; ++round) {
        if (lane == 0) firsts[warp] = own;
        if (lane == 31) lasts[warp] = own;
        __syncthreads();
        float before = __shfl_up_sync(0xffffffff, own, 1), after = __shfl_down_sync(0xffffffff, own, 1);
        if (lane == 0) before = lasts[(warp + 3) % 4];
        if (lane == 31) after = firsts[(warp + 1) % 4];
        own = (before + own + after) / 3.0f;
        __syncthreads();
    }
    data[blockIdx.x * 128 + t] = own;
}
