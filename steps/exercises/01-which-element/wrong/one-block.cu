// says: one of 
extern "C" __global__ void square(const float* in, float* out)
{
    if (blockIdx.x == 0) {
        for (unsigned int i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) {
            out[i] = in[i] * in[i];
        }
    }
}
