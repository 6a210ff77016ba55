// says: work is badly divided
// A thread does the work of its block.

extern "C" __global__ void decode(int rows, int columns, const unsigned short *w, const float *x, float *y)
{
    if (threadIdx.x > 0) {
        return;
    }
    for (int row = blockIdx.x * 8; row < min(rows, (blockIdx.x + 1) * 8); row++) {
        float sum = 0.0f;
        for (int i = 0; i < columns; i++) {
            sum += __uint_as_float((unsigned)w[(size_t)row * columns + i] << 16) * x[i];
        }
        y[row] = sum;
    }
}
