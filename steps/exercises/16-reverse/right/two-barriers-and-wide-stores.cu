extern "C" __global__ void reverse(const float* in, float* out)
{
    __shared__ float4 tile[32];
    float* words = (float*)tile;
    words[127 - threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32) ((float4*)out)[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x];
    __syncthreads();
}
