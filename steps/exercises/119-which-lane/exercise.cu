// c += A B: 16 × 8 elements times 8 × 8 elements, by all lanes of a warp. Of the factors, 19 bits are used (TF32).
__device__ void multiply(float (&c)[4], const float (&a)[4], const float (&b)[2])
{
    const unsigned int *const x = (const unsigned int *)a, *const y = (const unsigned int *)b;
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
}

// Elements that three of the lanes hold, in their order, as (row, column):
//   lane  A                           B            C
//      0  (0,0) (8,0) (0,4) (8,4)     (0,0) (4,0)  (0,0) (0,1) (8,0) (8,1)
//      6  (1,2) (9,2) (1,6) (9,6)     (2,1) (6,1)  (1,4) (1,5) (9,4) (9,5)
//     31  (7,3) (15,3) (7,7) (15,7)   (3,7) (7,7)  (7,6) (7,7) (15,6) (15,7)

// C = A B, of sums of `length` terms. A warp computes 16 rows and 8 columns, a block four warps side by side.
extern "C" __global__ void product(int columns, int length, const float *a, const float *b, float *c)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int g = lane / 4, t = lane % 4;
    const int top = blockIdx.y * 16, left = blockIdx.x * 32 + warp * 8;
    float sum[4] = {};
    for (int first = 0; first < length; first += 8) {
        float of_a[4], of_b[2];
        for (int i = 0; i < 4; i++) {
            const int row = g, column = t; // TODO: of element i of A
            of_a[i] = a[(top + row) * length + first + column];
        }
        for (int i = 0; i < 2; i++) {
            const int row = t, column = g; // TODO: of element i of B
            of_b[i] = b[(first + row) * columns + left + column];
        }
        multiply(sum, of_a, of_b);
    }
    for (int i = 0; i < 4; i++) {
        const int row = g, column = t; // TODO: of element i of C
        c[(top + row) * columns + left + column] = sum[i];
    }
}
