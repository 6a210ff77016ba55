// says: work is badly divided
// A thread does the work of its block.

extern "C" __global__ void decode(int rows, int columns, const unsigned char *w, const unsigned short *scales, const float *x, float *y)
{
    if (threadIdx.x > 0) {
        return;
    }
    for (int row = blockIdx.x * 8; row < min(rows, (blockIdx.x + 1) * 8); row++) {
        float sum = 0.0f;
        for (int i = 0; i < columns; i++) {
            const size_t at = (size_t)row * columns + i;
            const float scale = __uint_as_float((unsigned)scales[at / 128] << 16);
            sum += scale * (float)((w[at / 2] >> i % 2 * 4 & 15) - 8) * x[i];
        }
        y[row] = sum;
    }
}
