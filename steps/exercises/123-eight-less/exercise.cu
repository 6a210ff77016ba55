// The float that a BF16 number is.
__device__ __forceinline__ float of_bf16(unsigned bits)
{
    return __uint_as_float(bits << 16);
}

#define WARPS 8 // of a block

// The sum of the values of a warp, in all its lanes.
template <typename T> __device__ __forceinline__ T of_warp(T sum)
{
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, step);
    }
    return sum;
}

#define EIGHT 8
#define OF_A_WARP (32 * EIGHT) // elements of a row that a warp takes at a time

// Eight elements of x.
struct Eight {
    float4 first, second;
};

__device__ __forceinline__ Eight eight_of(const float *x)
{
    return {*(const float4 *)x, *(const float4 *)(x + 4)};
}

// The sum of their products with other eight, in the same order.
__device__ __forceinline__ float product(const Eight &x, const float (&w)[EIGHT])
{
    return x.first.x * w[0] + x.first.y * w[1] + x.first.z * w[2] + x.first.w * w[3] +
           x.second.x * w[4] + x.second.y * w[5] + x.second.z * w[6] + x.second.w * w[7];
}

#define GROUP 128 // neighbours in a row

// The scale of the weight in column `i` of a row, whose scales are these.
__device__ __forceinline__ float scale_of(const unsigned short *of_row, int i)
{
    return of_bf16(of_row[i / GROUP]);
}

#define ONE 0x3f000000 // the upper byte of a float from 1 to 2; the next byte is 128, plus 128 times what is beyond 1
#define UNITS 128.0f // of this byte, for 1
#define ZERO 8.0f // what is stored for a weight of 0

// Makes floats 1 + n/128 of the numbers n in the lower halves of four bytes: each second one, from `first` on.
__device__ __forceinline__ void floats_of(unsigned halves, float (&w)[EIGHT], int first)
{
    const unsigned bytes = (halves & 0x0f0f0f0f) | 0x80808080;
    w[first] = __uint_as_float(__byte_perm(bytes, ONE, 0x7044));
    w[first + 2] = __uint_as_float(__byte_perm(bytes, ONE, 0x7144));
    w[first + 4] = __uint_as_float(__byte_perm(bytes, ONE, 0x7244));
    w[first + 6] = __uint_as_float(__byte_perm(bytes, ONE, 0x7344));
}

__device__ __forceinline__ float sum_of(const Eight &x)
{
    return x.first.x + x.first.y + x.first.z + x.first.w + (x.second.x + x.second.y + x.second.z + x.second.w);
}

// The sum of the products of x, whose sum is known, with eight numbers n: x n = 128 x (1 + n/128) - 128 x.
__device__ __forceinline__ float product(const Eight &x, float sum, unsigned word)
{
    float w[EIGHT];
    floats_of(word, w, 0);
    floats_of(word >> 4, w, 1);
    return UNITS * product(x, w) - UNITS * sum; // TODO: weights are n - 8
}

extern "C" __global__ void decode(int rows, int columns, const unsigned char *w, const unsigned short *scales, const float *x, float *y)
{
    const int lane = threadIdx.x % 32, row = threadIdx.x / 32 + blockIdx.x * WARPS;
    if (row >= rows) {
        return;
    }
    const unsigned *const of_row = (const unsigned *)(w + (size_t)row * columns / 2);
    const unsigned short *const scales_of_row = scales + (size_t)row * (columns / GROUP);
    float sum = 0.0f;
#pragma unroll 2
    for (int i = lane * EIGHT; i < columns; i += OF_A_WARP) {
        const Eight eight = eight_of(x + i);
        sum += scale_of(scales_of_row, i) * product(eight, sum_of(eight), __ldcs(of_row + i / EIGHT));
    }
    sum = of_warp(sum);
    if (lane == 0) {
        y[row] = sum;
    }
}
