extern "C" __global__ void halve(unsigned int width, unsigned int height, const float* in, float* out)
{
    const unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int y = 0; // TODO: which row is this thread's?
    if (x < width) { // TODO: not every thread has a row
        out[y * width + x] = 0.5f * in[y * width + x];
    }
}
