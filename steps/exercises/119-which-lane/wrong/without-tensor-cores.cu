// Four elements for each thread, as on any GPU.
// says: instructions of the kind `matrix product`: 0
extern "C" __global__ void product(int columns, int length, const float *a, const float *b, float *c)
{
    const int column = blockIdx.x * 32 + threadIdx.x % 32, top = blockIdx.y * 16 + threadIdx.x / 32 * 4;
    float sum[4] = {};
    for (int i = 0; i < length; i++) {
        for (int j = 0; j < 4; j++) {
            sum[j] += a[(top + j) * length + i] * b[i * columns + column];
        }
    }
    for (int j = 0; j < 4; j++) {
        c[(top + j) * columns + column] = sum[j];
    }
}
