// says: one of 
extern "C" __global__ void twice(unsigned int n, float* data)
{
    if (blockIdx.x == 0 && threadIdx.x < 32) {
        for (unsigned int i = threadIdx.x; i < n; i += 32) {
            if (i >= 3) {
                data[i] = 2.0f * data[i];
            }
        }
    }
}
