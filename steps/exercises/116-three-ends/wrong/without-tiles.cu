// Right for any size, and everything comes from global memory.
// says: too much is asked of memory
extern "C" __global__ void gemm(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c)
{
    const int row = threadIdx.y + blockIdx.y * 32, column = threadIdx.x + blockIdx.x * 32;
    if (row < m && column < n) {
        float sum = 0.0f;
        for (int i = 0; i < k; i++) {
            sum += a[row * k + i] * b[i * n + column];
        }
        float *const result = c + row * n + column;
        *result = beta == 0.0f ? alpha * sum : alpha * sum + beta * *result;
    }
}
