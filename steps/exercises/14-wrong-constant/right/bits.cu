__constant__ float scale[4], offset[4];

extern "C" __global__ void adjust(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    const unsigned int k = i & 3;
    float x = in[i];
    x *= scale[k];
    x += offset[k];
    out[i] = x;
}
