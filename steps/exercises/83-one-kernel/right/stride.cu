// A loop over the grid, for any number of blocks.
extern "C" __global__ void chain(
    unsigned int n, float factor, float most, const float* a, const float* b, float* c)
{
    for (unsigned int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x) {
        const float sum = a[i] + b[i];
        const float root = sqrtf(fabsf(sum * factor));
        c[i] = root < most ? root : most;
    }
}
