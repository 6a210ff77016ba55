// SPDX-License-Identifier: MIT OR Apache-2.0
// The means of up to sixteen queries over the same keys by the tensor cores, for each warp of a block.
//
// Lane 4 g + t of a warp holds of the small matrices:
//
//   queries, 16 × 16:        queries g and g + 8, in pairs of elements 2 t and 2 t + 8
//   keys, 16 × 8:            key g, in pairs of elements 2 t and 2 t + 8
//   scores and sums, 16 × 8: queries g and g + 8, of keys or elements 2 t and 2 t + 1
//   weights, 16 × 16:        queries g and g + 8, in pairs of keys 2 t and 2 t + 8: as scores of two products lie
//   values, 16 × 8:          element g, in pairs of keys 2 t and 2 t + 8
//
// The order of the elements is free. So a lane takes eight neighbours of a row at a time: of keys and queries four times, those
// from 8 (t + 4 i) on, and of values twice, those from 8 (g + 8 i) on.

#define QUERIES 16 // at most
#define FOURS (SIZE / 4) // of elements, of which a lane has one
#define SIXTEEN 16 // keys that a warp takes at a time
#define LOWER 0x5410 // for `__byte_perm`: the lower halves of two words
#define UPPER 0x7632 // their upper halves

// What some keys give for queries g and g + 8, relative to the largest scores. A lane has the weights of its own keys.
struct Means {
    float most[2], all[2];
    float sum[SIZE / 8][4];
};

// sum += the product of a matrix, by rows g and g + 8, with another.
__device__ __forceinline__ void multiply(float (&sum)[4], unsigned g_first, unsigned g_8_first, unsigned g_second, unsigned g_8_second,
    unsigned first, unsigned second)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(g_first), "r"(g_8_first), "r"(g_second), "r"(g_8_second), "r"(first), "r"(second));
}

// Two numbers, rounded to BF16.
__device__ __forceinline__ unsigned pair_of(float first, float second)
{
    unsigned pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
    return pair;
}

// Two sums += weights times two neighbours of the values of keys 2 t, 2 t + 1, 2 t + 8 and 2 t + 9.
__device__ __forceinline__ void add(
    float (*sum)[4], const unsigned (&weights)[4], unsigned first, unsigned second, unsigned third, unsigned fourth)
{
    multiply(sum[0], weights[0], weights[1], weights[2], weights[3], __byte_perm(first, second, LOWER), __byte_perm(third, fourth, LOWER));
    multiply(sum[1], weights[0], weights[1], weights[2], weights[3], __byte_perm(first, second, UPPER), __byte_perm(third, fourth, UPPER));
}

// The largest value of the four lanes with the same queries.
__device__ __forceinline__ float largest(float own)
{
    own = fmaxf(own, __shfl_xor_sync(ALL, own, 1));
    return fmaxf(own, __shfl_xor_sync(ALL, own, 2));
}

// The sum of their values.
__device__ __forceinline__ float of_four(float own)
{
    own += __shfl_xor_sync(ALL, own, 1);
    return own + __shfl_xor_sync(ALL, own, 2);
}

// Takes sixteen keys from `first` on. Those from `end` on have no weight.
__device__ __forceinline__ void take(
    Means &means, const uint4 (&query)[2][4], const uint4 *k, const uint4 *v, int first, int end, float scale)
{
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    uint4 key[2][4], value[2][4];
#pragma unroll
    for (int i = 0; i < 8; i++) {
        key[i / 4][i % 4] = __ldcs(k + (size_t)min(first + i / 4 * 8 + g, end - 1) * TEAM + t + i % 4 * 4);
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const int of_four = i % 2 + i / 2 % 2 * 8; // keys 0, 1, 8 and 9
        value[i / 4][i % 4] = __ldcs(v + (size_t)min(first + 2 * t + of_four, end - 1) * TEAM + g + i / 4 * 8);
    }
    float score[2][4] = {};
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const uint4 a = query[0][i % 4], b = query[1][i % 4], c = key[i / 4][i % 4];
        multiply(score[i / 4], a.x, b.x, a.y, b.y, c.x, c.y);
        multiply(score[i / 4], a.z, b.z, a.w, b.w, c.z, c.w);
    }
    float most[2] = {means.most[0], means.most[1]};
#pragma unroll
    for (int i = 0; i < 8; i++) {
        float &it = score[i / 4][i % 4];
        it = first + i / 4 * 8 + 2 * t + i % 2 < end ? it * scale : __int_as_float(0xff800000);
        most[i % 4 / 2] = fmaxf(most[i % 4 / 2], it);
    }
#pragma unroll
    for (int i = 0; i < 2; i++) {
        most[i] = largest(most[i]);
        const float factor = exp2f(means.most[i] - most[i]);
        means.most[i] = most[i];
        means.all[i] *= factor;
#pragma unroll
        for (int j = 0; j < SIZE / 8; j++) {
            means.sum[j][2 * i] *= factor;
            means.sum[j][2 * i + 1] *= factor;
        }
    }
    unsigned weights[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const float even = exp2f(score[i / 2][i % 2 * 2] - most[i % 2]), odd = exp2f(score[i / 2][i % 2 * 2 + 1] - most[i % 2]);
        means.all[i % 2] += even + odd;
        weights[i] = pair_of(even, odd);
    }
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const uint4 a = value[i][0], b = value[i][1], c = value[i][2], d = value[i][3];
        float(*const sum)[4] = means.sum + 8 * i;
        add(sum, weights, a.x, b.x, c.x, d.x);
        add(sum + 2, weights, a.y, b.y, c.y, d.y);
        add(sum + 4, weights, a.z, b.z, c.z, d.z);
        add(sum + 6, weights, a.w, b.w, c.w, d.w);
    }
}

// Stores a warp's means.
__device__ __forceinline__ void store(
    const Means &means, int warp, float2 (*weights)[WARPS], float4 (*sums)[WARPS * FOURS + 1])
{
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const float all = of_four(means.all[i]);
        if (t == 0) {
            weights[g + 8 * i][warp] = make_float2(means.most[i], all);
        }
        // Four neighbours are in four products: 0 to 3 or 4 to 7 of each half of a row, in one of two columns.
#pragma unroll
        for (int j = 0; j < 8; j++) {
            const int first = j / 2 * 4, column = j % 2, at = 2 * i + column;
            const float4 four = {means.sum[first][at], means.sum[first + 1][at], means.sum[first + 2][at], means.sum[first + 3][at]};
            sums[g + 8 * i][warp * FOURS + j / 4 * 16 + (2 * t + column) * 2 + j / 2 % 2] = four;
        }
    }
}

__device__ __forceinline__ float4 times(float factor, float4 four)
{
    return {factor * four.x, factor * four.y, factor * four.z, factor * four.w};
}

// Brings together `count` means of a query, whose largest scores and sums of weights are `weights`: returns the lane's elements of
// the weighted sum.
__device__ __forceinline__ float4 merged(int count, const float2 *weights, const float4 *sums, float2 &of_all)
{
    float most = LEAST, all = 0.0f;
#pragma unroll 4
    for (int j = 0; j < count; j++) {
        most = fmaxf(most, weights[j].x);
    }
    float4 sum = {};
#pragma unroll 4
    for (int j = 0; j < count; j++) {
        const float factor = exp2f(weights[j].x - most);
        const float4 more = times(factor, sums[j * FOURS + threadIdx.x % 32]);
        all += factor * weights[j].y;
        sum = {sum.x + more.x, sum.y + more.y, sum.z + more.z, sum.w + more.w};
    }
    of_all = make_float2(most, all);
    return sum;
}
