extern "C" __global__ void reverse(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    __shared__ float tile[128];
    tile[127 - threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[threadIdx.x];
}
