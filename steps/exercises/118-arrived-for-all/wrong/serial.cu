// says: one of 
extern "C" __global__ void product(int n, int length, const float *a, const float *b, float *c)
{
    if (blockIdx.x + blockIdx.y + threadIdx.x > 0) {
        return;
    }
    for (int at = 0; at < n * n; at++) {
        float sum = 0.0f;
        for (int i = 0; i < length; i++) {
            sum += a[at / n * length + i] * b[i * n + at % n];
        }
        c[at] = sum;
    }
}
