extern "C" __global__ void reverse(const float* in, float* out)
{
    __shared__ float tile[128];
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[i];
    // TODO: wait for the others
    out[i] = tile[127 - threadIdx.x];
}
