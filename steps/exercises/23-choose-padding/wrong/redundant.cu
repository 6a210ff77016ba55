#define PAD 1

extern "C" __global__ void turn(const float* in, float* out)
{
    __shared__ float tile[32][32 + PAD];
    const unsigned int x = threadIdx.x, y = threadIdx.y, first = blockIdx.x * 1024;
    for (unsigned int k = 0; k < 32; ++k) {
        const float element = ((const volatile float*)in)[first + y * 32 + k];
        if (k == x) tile[y][x] = element;
    }
    __syncthreads();
    out[first + y * 32 + x] = tile[x][y];
}
