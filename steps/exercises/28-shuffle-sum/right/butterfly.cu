// All lanes have the sum, and store the same.
extern "C" __global__ void sum(const float* in, float* out)
{
    const unsigned int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    float sum = in[blockIdx.x * blockDim.x + threadIdx.x];
    sum += __shfl_xor_sync(~0u, sum, 1);
    sum += __shfl_xor_sync(~0u, sum, 2);
    sum += __shfl_xor_sync(~0u, sum, 4);
    sum += __shfl_xor_sync(~0u, sum, 8);
    sum += __shfl_xor_sync(~0u, sum, 16);
    out[warp] = sum;
}
