// says: work is badly divided
// A thread does the work of its block.

extern "C" __global__ void decode(int rows, int columns, int batch, const unsigned char *w, const unsigned short *scales, const unsigned short *x, float *y)
{
    if (threadIdx.x > 0) {
        return;
    }
    for (int row = blockIdx.x * 32; row < min(rows, (blockIdx.x + 1) * 32); row++) {
        for (int vector = 0; vector < batch; vector++) {
            float sum = 0.0f;
            for (int i = 0; i < columns; i++) {
                const size_t at = (size_t)row * columns + i;
                const float scale = __uint_as_float((unsigned)scales[at / 128] << 16);
                sum += scale * (float)((w[at / 2] >> i % 2 * 4 & 15) - 8) * __uint_as_float((unsigned)x[vector * columns + i] << 16);
            }
            y[(size_t)vector * rows + row] = sum;
        }
    }
}
