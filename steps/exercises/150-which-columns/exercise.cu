// The float that a BF16 number is.
__device__ __forceinline__ float of_bf16(unsigned bits)
{
    return __uint_as_float(bits << 16);
}

#define WARPS 8 // of a block

#define GROUP 128 // neighbours in a row

// The scale of the weight in column `i` of a row, whose scales are these.
__device__ __forceinline__ float scale_of(const unsigned short *of_row, int i)
{
    return of_bf16(of_row[i / GROUP]);
}

// Lane 4 g + t of a warp holds of the small matrices:
//
//   weights, 16 × 16:  rows g and g + 8, in pairs of columns 2 t and 2 t + 8
//   vectors, 16 × 8:   vector g, in pairs of rows 2 t and 2 t + 8
//   sums, 16 × 8:      rows g and g + 8, of vectors 2 t and 2 t + 1
//
// A product is the same in any order of the columns. So a lane may take any columns of its rows, as long as it takes the same
// columns of its vector.

#define ROWS 16 // of a block
#define VECTORS 8 // at most

// sum += the products of rows g and g + 8 with the vectors, for four columns of each lane.
__device__ __forceinline__ void multiply(float (&sum)[4], unsigned g_first, unsigned g_8_first, unsigned g_second, unsigned g_8_second,
    unsigned x_first, unsigned x_second)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(g_first), "r"(g_8_first), "r"(g_second), "r"(g_8_second), "r"(x_first), "r"(x_second));
}

// Adds up the sums of all warps, and stores those of rows and vectors that exist.
__device__ __forceinline__ void store(const float (&sum)[4], int rows, int batch, float *y)
{
    __shared__ float sums[WARPS][VECTORS][ROWS];
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4, warp = threadIdx.x / 32;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        sums[warp][2 * t + i % 2][g + i / 2 * 8] = sum[i];
    }
    __syncthreads(); // all sums are there
    const int vector = threadIdx.x / ROWS, row = blockIdx.x * ROWS + threadIdx.x % ROWS;
    if (vector < batch && row < rows) {
        float all = 0.0f;
#pragma unroll
        for (int i = 0; i < WARPS; i++) {
            all += sums[i][vector][threadIdx.x % ROWS];
        }
        y[(size_t)vector * rows + row] = all;
    }
}

#define AND_128 0x43004300 // with a number of seven bits below: the pair 128 + n
#define LOWER 0x5410 // for `__byte_perm`: the lower halves of two words
#define UPPER 0x7632 // their upper halves

// The sums of two pairs.
__device__ __forceinline__ unsigned sum_of(unsigned a, unsigned b)
{
    const unsigned one = 0x3f803f80;
    unsigned sum;
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(one), "r"(b));
    return sum;
}

// sum += the sums of a group of columns, times the scales of rows g and g + 8.
__device__ __forceinline__ void add_scaled(float (&sum)[4], const float (&of_group)[4], float scale_g, float scale_g_8)
{
    sum[0] += scale_g * of_group[0];
    sum[1] += scale_g * of_group[1];
    sum[2] += scale_g_8 * of_group[2];
    sum[3] += scale_g_8 * of_group[3];
}

#define THIRTY_TWO 32

// The lowest nibbles of both halves of a word, numbers from 0 to 15, minus 8.
__device__ __forceinline__ unsigned pair_of(unsigned nibbles)
{
    const unsigned minus_136 = 0xc308c308;
    return sum_of((nibbles & 0x000f000f) | AND_128, minus_136);
}

// sum += the products of eight columns of rows g and g + 8 with the vectors.
__device__ __forceinline__ void multiply(float (&sum)[4], unsigned g, unsigned g_8, uint4 x)
{
    // TODO: the words of the vector have other columns than the pairs of weights
    multiply(sum, pair_of(g), pair_of(g_8), pair_of(g >> 4), pair_of(g_8 >> 4), x.x, x.y);
    multiply(sum, pair_of(g >> 8), pair_of(g_8 >> 8), pair_of(g >> 12), pair_of(g_8 >> 12), x.z, x.w);
}

extern "C" __global__ void __launch_bounds__(32 * WARPS)
decode(int rows, int columns, int batch, const uint4 *w, const unsigned short *scales, const uint4 *x, float *y)
{
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4, warp = threadIdx.x / 32;
    const int first = blockIdx.x * ROWS + g, length = columns / THIRTY_TWO;
    // The last one again where there is none.
    const size_t g_th = min(first, rows - 1), g_8_th = min(first + 8, rows - 1);
    const uint4 *const row_g = w + g_th * length;
    const uint4 *const row_g_8 = w + g_8_th * length;
    const unsigned short *const scales_g = scales + g_th * (columns / GROUP);
    const unsigned short *const scales_g_8 = scales + g_8_th * (columns / GROUP);
    const uint4 *const vector = x + min(g, batch - 1) * (4 * length);
    float sum[4] = {};
#pragma unroll 2
    for (int i = warp * 4 + t; i < length; i += WARPS * 4) {
        const uint4 a = __ldcs(row_g + i), b = __ldcs(row_g_8 + i);
        float of_group[4] = {};
        multiply(of_group, a.x, b.x, vector[4 * i]);
        multiply(of_group, a.y, b.y, vector[4 * i + 1]);
        multiply(of_group, a.z, b.z, vector[4 * i + 2]);
        multiply(of_group, a.w, b.w, vector[4 * i + 3]);
        add_scaled(sum, of_group, scale_of(scales_g, i * THIRTY_TWO), scale_of(scales_g_8, i * THIRTY_TWO));
    }
    store(sum, rows, batch, y);
}
