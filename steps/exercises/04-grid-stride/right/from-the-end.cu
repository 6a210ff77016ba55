extern "C" __global__ void triple(unsigned int n, const float* in, float* out)
{
    for (int i = (int)n - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x); i >= 0; i -= gridDim.x * blockDim.x)
        out[i] = fmaf(2.0f, in[i], in[i]);
}
