extern "C" __global__ void reverse(const float* in, float* out)
{
    __shared__ float tile[128];
    const float* from = in + blockIdx.x * 128;
    float* to = out + blockIdx.x * 128;
    tile[threadIdx.x] = from[threadIdx.x];
    asm volatile("bar.sync 0;" ::: "memory");
    to[threadIdx.x] = tile[threadIdx.x ^ 127];
}
