// SPDX-License-Identifier: MIT OR Apache-2.0
// What a warp knows of 16 queries. Lane 4 g + t has queries g and g + 8: see matrices.cuh. Scores of eight keys are a matrix C.

#define ALL 0xffffffff // lanes

// 2 to the power of x, with a relative error of 2⁻²².
__device__ __forceinline__ float exponential(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

template <int D> struct Rows {
    float most[2]; // what is subtracted from scores: the largest so far
    float sum[2]; // of the weights of this lane's keys
    float out[D / 8][4]; // sums of weighted rows of V

    __device__ __forceinline__ Rows() : most{NOTHING, NOTHING}, sum{}, out{} {}

    // Subtracts something else from now on.
    __device__ __forceinline__ void rescale(int h, float now)
    {
        const float factor = exponential(most[h] - now);
        most[h] = now;
        sum[h] *= factor;
#pragma unroll
        for (int i = 0; i < D / 8; i++) {
            out[i][2 * h] *= factor;
            out[i][2 * h + 1] *= factor;
        }
    }

    // Makes weights of scores.
    template <int COUNT> __device__ __forceinline__ void weigh(float (&score)[COUNT / 8][4], float scale)
    {
#pragma unroll
        for (int j = 0; j < COUNT / 8; j++) {
#pragma unroll
            for (int e = 0; e < 4; e++) {
                score[j][e] = exponential(fmaf(score[j][e], scale, -most[e / 2]));
                sum[e / 2] += score[j][e];
            }
        }
    }

    // Stores the results of queries g and g + 8, for the first of the 16.
    __device__ __forceinline__ void store(int n, int first, unsigned short *o)
    {
        const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
        for (int h = 0; h < 2; h++) {
            float all = sum[h];
            all += __shfl_xor_sync(ALL, all, 1);
            all += __shfl_xor_sync(ALL, all, 2);
            const float factor = 1.0f / all;
            const int row = first + h * 8 + g;
            if (row < n) {
#pragma unroll
                for (int i = 0; i < D / 8; i++) {
                    *(unsigned *)(o + row * D + i * 8 + t * 2) = pair_of(out[i][2 * h] * factor, out[i][2 * h + 1] * factor);
                }
            }
        }
    }
};

// The largest of a query's scores, of which four lanes have a part.
template <int COUNT> __device__ __forceinline__ float largest(const float (&score)[COUNT / 8][4], int h)
{
    float most = fmaxf(score[0][2 * h], score[0][2 * h + 1]);
#pragma unroll
    for (int j = 1; j < COUNT / 8; j++) {
        most = fmaxf(most, fmaxf(score[j][2 * h], score[j][2 * h + 1]));
    }
    most = fmaxf(most, __shfl_xor_sync(ALL, most, 1));
    return fmaxf(most, __shfl_xor_sync(ALL, most, 2));
}

// Takes away the keys from `key` on that are none, or that a query may not see, of the queries from `first` on.
template <int COUNT> __device__ __forceinline__ void mask(float (&score)[COUNT / 8][4], int n, int causal, int first, int key)
{
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
    for (int j = 0; j < COUNT / 8; j++) {
#pragma unroll
        for (int e = 0; e < 4; e++) {
            const int end = causal ? min(n, first + e / 2 * 8 + g + 1) : n;
            if (key + j * 8 + t * 2 + e % 2 >= end) {
                score[j][e] = NOTHING;
            }
        }
    }
}

// The weights of 16 keys as a matrix A.
template <int COUNT> __device__ __forceinline__ void factors(unsigned (&a)[4], const float (&weight)[COUNT / 8][4], int i)
{
#pragma unroll
    for (int e = 0; e < 4; e++) {
        const float *const two = weight[2 * i + e / 2] + e % 2 * 2;
        a[e] = pair_of(two[0], two[1]);
    }
}
