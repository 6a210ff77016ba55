extern "C" __global__ void sum_rows(const float* in, float* out)
{
    const float* rows = in + blockIdx.x * 256;
    float sum = rows[threadIdx.x];
#pragma unroll
    for (int s = 16; s; s >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, s, 32);
    if (!(threadIdx.x & 31)) out[blockIdx.x * 8 + (threadIdx.x >> 5)] = sum;
}
