// says: one of 
extern "C" __global__ void halve(unsigned int width, unsigned int height, const float* in, float* out)
{
    const unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 && y == 0) {
        for (unsigned int i = 0; i < width * height; ++i) {
            out[i] = 0.5f * in[i];
        }
    }
}
