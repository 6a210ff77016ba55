// says: work is badly divided
// A thread does the work of its block.

#define ITEMS (256 * 7)

extern "C" __global__ void spmv(
    int rows, int elements, const int *starts, const int *columns, const float *values, const float *x, float *y)
{
    if (threadIdx.x > 0 || blockIdx.x > 0) {
        return;
    }
    for (int row = 0; row < rows; row++) {
        float sum = 0.0f;
        for (int i = starts[row]; i < starts[row + 1]; i++) {
            sum += values[i] * x[columns[i]];
        }
        y[row] = sum;
    }
}
