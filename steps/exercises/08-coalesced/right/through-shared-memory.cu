// Each thread keeps its 32 elements, and the block moves them through shared memory, 32 by 32.
extern "C" __global__ void twice(const float* in, float* out)
{
    __shared__ float tiles[8][32][33];
    const unsigned int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned int first = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 1024;
    for (unsigned int k = 0; k < 32; ++k) {
        tiles[warp][k][lane] = in[first + k * 32 + lane];
    }
    __syncwarp();
    for (unsigned int k = 0; k < 32; ++k) {
        tiles[warp][lane][k] *= 2;
    }
    __syncwarp();
    for (unsigned int k = 0; k < 32; ++k) {
        out[first + k * 32 + lane] = tiles[warp][k][lane];
    }
}
