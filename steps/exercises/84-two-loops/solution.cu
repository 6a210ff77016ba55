extern "C" __global__ void spread(unsigned int n, unsigned int rows, const float* in, float* out)
{
    const unsigned int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= n) {
        return;
    }
    float largest = in[column], smallest = largest;
    for (unsigned int row = 1; row < rows; ++row) {
        const float x = in[row * n + column];
        largest = fmaxf(largest, x);
        smallest = fminf(smallest, x);
    }
    out[column] = largest - smallest;
}
