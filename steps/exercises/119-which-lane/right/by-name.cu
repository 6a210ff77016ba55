// Each element by its name, and C by pairs of floats.
extern "C" __global__ void product(int columns, int length, const float *a, const float *b, float *c)
{
    const int lane = threadIdx.x & 31, g = lane >> 2, t = lane & 3;
    const unsigned int *upper = (const unsigned int *)a + (blockIdx.y * 16 + g) * length + t, *lower = upper + 8 * length;
    const unsigned int *rows = (const unsigned int *)b + t * columns + blockIdx.x * 32 + threadIdx.x / 32 * 8 + g;
    float2 above = make_float2(0.0f, 0.0f), below = above;
    for (int i = 0; i < length; i += 8, rows += 8 * columns) {
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(above.x), "+f"(above.y), "+f"(below.x), "+f"(below.y)
            : "r"(upper[i]), "r"(lower[i]), "r"(upper[i + 4]), "r"(lower[i + 4]), "r"(rows[0]), "r"(rows[4 * columns]));
    }
    float *const pair = c + (blockIdx.y * 16 + g) * columns + blockIdx.x * 32 + threadIdx.x / 32 * 8 + 2 * t;
    *(float2 *)pair = above;
    *(float2 *)(pair + 8 * columns) = below;
}
