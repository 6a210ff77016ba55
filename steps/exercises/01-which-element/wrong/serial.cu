// says: one of 
extern "C" __global__ void square(const float* in, float* out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (unsigned int i = 0; i < gridDim.x * blockDim.x; ++i) {
            out[i] = in[i] * in[i];
        }
    }
}
