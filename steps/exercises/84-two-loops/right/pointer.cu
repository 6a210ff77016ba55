extern "C" __global__ void spread(unsigned int n, unsigned int rows, const float* in, float* out)
{
    const unsigned int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= n) {
        return;
    }
    float largest = -1e30f, smallest = 1e30f;
    for (const float* at = in + column; at < in + rows * n; at += n) {
        const float x = *at;
        largest = fmaxf(largest, x);
        smallest = fminf(smallest, x);
    }
    out[column] = largest - smallest;
}
