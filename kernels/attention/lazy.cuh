// SPDX-License-Identifier: MIT OR Apache-2.0
// Weights of the scores of a tile, where what is subtracted from scores changes only if one exceeds it by far.

#define MORE 8.0f // a weight is at most 2 to the power of it

// Makes weights of the scores of keys from `start` on and queries from `first` on. Whether the warp subtracts more from now on: what it
// has added up before must then be multiplied by `factor`. The sums of weights already are.
template <int D>
__device__ __forceinline__ bool weigh(Rows<D> &rows, float (&score)[KEYS / 8][4], float (&factor)[2], int n, int causal, float scale,
                                      int first, int start)
{
    if (start + KEYS > (causal ? min(n, first + 1) : n)) {
        mask<KEYS>(score, n, causal, first, start);
    }
    float large[2];
    bool exceeds = false;
#pragma unroll
    for (int h = 0; h < 2; h++) {
        large[h] = largest<KEYS>(score, h) * scale;
        exceeds = exceeds || large[h] > rows.most[h] + MORE;
    }
    exceeds = __any_sync(ALL, exceeds);
    if (exceeds) {
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const float now = fmaxf(rows.most[h], large[h]);
            factor[h] = exponential(rows.most[h] - now);
            rows.most[h] = now;
            rows.sum[h] *= factor[h];
        }
    }
    rows.template weigh<KEYS>(score, scale);
    return exceeds;
}

// Multiplies the sums of weighted rows of V.
template <int D> __device__ __forceinline__ void rescale(Rows<D> &rows, const float (&factor)[2])
{
#pragma unroll
    for (int i = 0; i < D / 8; i++) {
#pragma unroll
        for (int e = 0; e < 4; e++) {
            rows.out[i][e] *= factor[e / 2];
        }
    }
}

// The weights of all keys of a tile as matrices A.
__device__ __forceinline__ void factors(unsigned (&a)[KEYS / 16][4], const float (&weight)[KEYS / 8][4])
{
#pragma unroll
    for (int i = 0; i < KEYS / 16; i++) {
        factors<KEYS>(a[i], weight, i);
    }
}
