#define PAD 1

extern "C" __global__ void turn(const float* in, float* out)
{
    __shared__ float tile[32 * (32 + PAD)];
    const unsigned int x = threadIdx.x, y = threadIdx.y;
    const float* from = in + blockIdx.x * 1024;
    tile[y * (32 + PAD) + x] = from[y * 32 + x];
    __syncthreads();
    out[blockIdx.x * 1024 + y * 32 + x] = tile[x * (32 + PAD) + y];
}
