// Every thread goes through all columns of its warp, and keeps its own result.
// says: global bytes
extern "C" __global__ void spread(unsigned int n, unsigned int rows, const float* in, float* out)
{
    const unsigned int own = blockIdx.x * blockDim.x + threadIdx.x, first = own / 32 * 32;
    for (unsigned int column = first; column < first + 32 && column < n; ++column) {
        float largest = in[column], smallest = largest;
        for (unsigned int row = 1; row < rows; ++row) {
            const float x = in[row * n + column];
            largest = fmaxf(largest, x);
            smallest = fminf(smallest, x);
        }
        if (column == own) {
            out[own] = largest - smallest;
        }
    }
}
