// SPDX-License-Identifier: MIT OR Apache-2.0
// Products of small matrices by the tensor cores, for the 32 lanes of a warp together. Lane 4 g + t holds of a row-major matrix:
//
//   A, 16 rows:    rows g and g + 8, in columns t and t + 4 (TF32) or pairs of columns 2 t and 2 t + 8 (16 bits)
//   B, 8 columns:  column g, in rows t and t + 4 or pairs of rows 2 t and 2 t + 8
//   C, 16 × 8:     rows g and g + 8, in columns 2 t and 2 t + 1

// c += A B with 8 terms of TF32: the tensor cores read the upper 19 bits of each float.
__device__ __forceinline__ void multiply_tf32(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2])
{
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// The type of factors of 16 bits, in the words of PTX.
#ifdef FP16
#define FACTORS "f16"
#else
#define FACTORS "bf16"
#endif

// The same with 16 terms of 16 bits.
__device__ __forceinline__ void multiply_16_bits(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2])
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32." FACTORS "." FACTORS ".f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Four matrices of 8 rows of 16 bytes from shared memory: lane 8 i + j says where row j of matrix i begins, and gets 4 bytes of row
// lane / 4 of each.
__device__ __forceinline__ void load_matrices(unsigned &first, unsigned &second, unsigned &third, unsigned &fourth, unsigned from)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(first), "=r"(second), "=r"(third), "=r"(fourth) : "r"(from) : "memory");
}

// The same of elements of 16 bits, rows as columns.
__device__ __forceinline__ void load_transposed(unsigned &first, unsigned &second, unsigned &third, unsigned &fourth, unsigned from)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(first), "=r"(second), "=r"(third), "=r"(fourth) : "r"(from) : "memory");
}
