// says: one of 
extern "C" __global__ void gemm(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c)
{
    if (blockIdx.x + blockIdx.y + threadIdx.x + threadIdx.y > 0) {
        return;
    }
    for (int at = 0; at < m * n; at++) {
        float sum = 0.0f;
        for (int i = 0; i < k; i++) {
            sum += a[at / n * k + i] * b[i * n + at % n];
        }
        c[at] = beta == 0.0f ? alpha * sum : alpha * sum + beta * c[at];
    }
}
