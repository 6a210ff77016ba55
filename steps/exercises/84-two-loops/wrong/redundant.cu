// Every thread goes through all columns of its warp, and keeps its own.
// says: global bytes
extern "C" __global__ void spread(unsigned int n, unsigned int rows, const float* in, float* out)
{
    const unsigned int own = blockIdx.x * blockDim.x + threadIdx.x, first = own / 32 * 32;
    float largest = 0.0f, smallest = 0.0f;
    for (unsigned int column = first; column < first + 32 && column < n; ++column) {
        for (unsigned int row = 0; row < rows; ++row) {
            const float x = in[row * n + column];
            if (column == own) {
                largest = row == 0 ? x : fmaxf(largest, x);
                smallest = row == 0 ? x : fminf(smallest, x);
            }
        }
    }
    if (own < n) {
        out[own] = largest - smallest;
    }
}
