// A warp needs no barrier of the block.
extern "C" __global__ void lengths(unsigned int n, const float* in, float* out)
{
    __shared__ float tile[4][96];
    const unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned int i = blockIdx.x * 128 + threadIdx.x, first = 3 * (i - lane);
    for (unsigned int k = lane; k < 96 && first + k < 3 * n; k += 32) {
        tile[warp][k] = in[first + k];
    }
    __syncwarp();
    if (i < n) {
        const float* const own = tile[warp] + 3 * lane;
        out[i] = sqrtf(own[0] * own[0] + own[1] * own[1] + own[2] * own[2]);
    }
}
