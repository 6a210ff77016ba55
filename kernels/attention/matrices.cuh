// SPDX-License-Identifier: MIT OR Apache-2.0
// Products of small matrices by the tensor cores, for the 32 lanes of a warp together. Lane 4 g + t holds of a row-major matrix:
//
//   A, 16 × 16:  rows g and g + 8, in pairs of columns 2 t and 2 t + 8
//   B, 16 × 8:   column g, in pairs of rows 2 t and 2 t + 8
//   C, 16 × 8:   rows g and g + 8, in columns 2 t and 2 t + 1

// c += A B, with factors of BF16.
__device__ __forceinline__ void multiply(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2])
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
