extern "C" __global__ void twice(unsigned int n, float* data)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 3 || i >= (int)n) {
        return;
    }
    float* const place = data + i;
    *place = ldexpf(*place, 1);
}
