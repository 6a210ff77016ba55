__constant__ float scale[4], offset[4];

extern "C" __global__ void adjust(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    out[i] = fmaf(scale[threadIdx.x], in[i], offset[threadIdx.x]);
}
