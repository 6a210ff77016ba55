// says: one of 
extern "C" __global__ void spread(unsigned int n, unsigned int rows, const float* in, float* out)
{
    if (blockIdx.x > 0 || threadIdx.x > 0) {
        return;
    }
    for (unsigned int column = 0; column < n; ++column) {
        float largest = in[column], smallest = largest;
        for (unsigned int row = 1; row < rows; ++row) {
            const float x = in[row * n + column];
            largest = fmaxf(largest, x);
            smallest = fminf(smallest, x);
        }
        out[column] = largest - smallest;
    }
}
