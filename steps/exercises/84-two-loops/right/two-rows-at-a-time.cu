extern "C" __global__ void spread(unsigned int n, unsigned int rows, const float* in, float* out)
{
    const unsigned int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= n) {
        return;
    }
    float largest = 0.0f, smallest = 1.0f;
    unsigned int row = 0;
    for (; row + 1 < rows; row += 2) {
        const float x = in[row * n + column], y = in[(row + 1) * n + column];
        largest = fmaxf(largest, fmaxf(x, y));
        smallest = fminf(smallest, fminf(x, y));
    }
    if (row < rows) {
        const float x = in[row * n + column];
        largest = fmaxf(largest, x);
        smallest = fminf(smallest, x);
    }
    out[column] = largest - smallest;
}
