// 4 × 4 results of a thread, and all factors from global memory.
// says: too much is asked of memory
#define TILE 64

extern "C" __global__ void product(int n, int columns, int length, const float *a, const float *b, float *c)
{
    const int top = blockIdx.y * TILE + threadIdx.y * 4, left = blockIdx.x * TILE + threadIdx.x * 4;
    float sum[4][4] = {};
    for (int i = 0; i < length; i++) {
        float of_a[4], of_b[4];
        for (int j = 0; j < 4; j++) {
            of_a[j] = top + j < n ? a[(top + j) * length + i] : 0.0f;
            of_b[j] = left + j < columns ? b[i * columns + left + j] : 0.0f;
        }
        for (int j = 0; j < 16; j++) {
            sum[j / 4][j % 4] += of_a[j / 4] * of_b[j % 4];
        }
    }
    for (int j = 0; j < 16; j++) {
        if (top + j / 4 < n && left + j % 4 < columns) {
            c[(top + j / 4) * columns + left + j % 4] = sum[j / 4][j % 4];
        }
    }
}
