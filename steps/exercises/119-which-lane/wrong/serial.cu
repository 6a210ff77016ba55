// says: one of 
extern "C" __global__ void product(int columns, int length, const float *a, const float *b, float *c)
{
    if (blockIdx.x + blockIdx.y + threadIdx.x > 0) {
        return;
    }
    for (int at = 0; at < 16 * (int)gridDim.y * columns; at++) {
        float sum = 0.0f;
        for (int i = 0; i < length; i++) {
            sum += a[at / columns * length + i] * b[i * columns + at % columns];
        }
        c[at] = sum;
    }
}
