// says: one of 
#define TILE 64

extern "C" __global__ void product(int n, int columns, int length, const float *a, const float *b, float *c)
{
    if (blockIdx.x + blockIdx.y + threadIdx.x + threadIdx.y > 0) {
        return;
    }
    for (int at = 0; at < n * columns; at++) {
        float sum = 0.0f;
        for (int i = 0; i < length; i++) {
            sum += a[at / columns * length + i] * b[i * columns + at % columns];
        }
        c[at] = sum;
    }
}
