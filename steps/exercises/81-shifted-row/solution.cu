extern "C" __global__ void twice(unsigned int n, float* data)
{
    // The first three numbers are the header.
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 3 && i < n) {
        data[i] = 2.0f * data[i];
    }
}
