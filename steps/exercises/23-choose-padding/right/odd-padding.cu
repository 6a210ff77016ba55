#define PAD 1 // a word moves each row by a bank

extern "C" __global__ void turn(const float* in, float* out)
{
    __shared__ float tile[32][32 + PAD];
    const unsigned int x = threadIdx.x, y = threadIdx.y, first = blockIdx.x * 1024;
    tile[x][y] = in[first + y * 32 + x];
    __syncthreads();
    out[first + y * 32 + x] = tile[y][x];
}
