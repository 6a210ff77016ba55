// SPDX-License-Identifier: MIT OR Apache-2.0
// Sixteen rows of weights times eight vectors by the tensor cores, for the warps of a block together: each warp takes some
// of the columns, and all products are added up at the end.
//
// Lane 4 g + t of a warp holds of the small matrices:
//
//   weights, 16 × 16:  rows g and g + 8, in pairs of columns 2 t and 2 t + 8
//   vectors, 16 × 8:   vector g, in pairs of rows 2 t and 2 t + 8
//   sums, 16 × 8:      rows g and g + 8, of vectors 2 t and 2 t + 1
//
// A product is the same in any order of the columns. So a lane may take any columns of its rows, as long as it takes the same
// columns of its vector.

#define ROWS 16 // of a product
#define VECTORS 8 // at most

// sum += the products of rows g and g + 8 with the vectors, for four columns of each lane.
__device__ __forceinline__ void multiply(float (&sum)[4], unsigned g_first, unsigned g_8_first, unsigned g_second, unsigned g_8_second,
    unsigned x_first, unsigned x_second)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(g_first), "r"(g_8_first), "r"(g_second), "r"(g_8_second), "r"(x_first), "r"(x_second));
}

// Adds up the sums of all warps, and stores those of the rows from `first` on and of vectors, where they exist.
__device__ __forceinline__ void store(const float (&sum)[4], int first, int rows, int batch, float *y)
{
    __shared__ float sums[WARPS][VECTORS][ROWS];
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4, warp = threadIdx.x / 32;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        sums[warp][2 * t + i % 2][g + i / 2 * 8] = sum[i];
    }
    __syncthreads(); // all sums are there
    const int vector = threadIdx.x / ROWS, row = first + threadIdx.x % ROWS;
    if (vector < batch && row < rows) {
        float all = 0.0f;
#pragma unroll
        for (int i = 0; i < WARPS; i++) {
            all += sums[i][vector][threadIdx.x % ROWS];
        }
        y[(size_t)vector * rows + row] = all;
    }
}
