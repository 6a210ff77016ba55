extern "C" __global__ void spread(unsigned int n, unsigned int rows, const float* in, float* out)
{
    const unsigned int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= n) {
        return;
    }
    float largest = in[column];
    for (unsigned int row = 0; row < rows; ++row) {
        largest = fmaxf(largest, in[row * n + column]);
    }
    float smallest = in[column];
    for (unsigned int row = 0; row < rows; ++row) { // TODO: the rows again
        smallest = fminf(smallest, in[row * n + column]);
    }
    out[column] = largest - smallest;
}
