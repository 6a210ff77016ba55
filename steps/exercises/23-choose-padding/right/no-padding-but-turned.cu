#define PAD 0

extern "C" __global__ void turn(const float* in, float* out)
{
    __shared__ float tile[32][32 + PAD];
    const unsigned int x = threadIdx.x, y = threadIdx.y, first = blockIdx.x * 1024;
    tile[y][x ^ y] = in[first + y * 32 + x]; // each row has its columns in another order
    __syncthreads();
    out[first + y * 32 + x] = tile[x][y ^ x];
}
