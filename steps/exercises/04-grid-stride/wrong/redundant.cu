// Every block does all, and stores its own part.
extern "C" __global__ void triple(unsigned int n, const float* in, float* out)
{
    for (unsigned int i = threadIdx.x; i < n; i += blockDim.x) {
        const float x = ((const volatile float*)in)[i];
        if (i / blockDim.x % gridDim.x == blockIdx.x) {
            out[i] = 3 * x;
        }
    }
}
