// says: one of 
extern "C" __global__ void twice(unsigned int n, float* data)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (unsigned int i = 3; i < n; ++i) {
            data[i] = 2.0f * data[i];
        }
    }
}
