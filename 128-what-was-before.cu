// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: four lanes go through all keys with one query, and keep its largest score, the sum of its weights and its row of O.
// Why:     no score is stored. When a larger score comes, what was added up before is multiplied by what makes it right.
// Expect:  several times the speed: memory holds only Q, K, V and O. Each score costs shuffles and two exponentials.

#define LANES 4 // of a query
#define THREADS 128

#include "bf16.cuh"

// The sum over the lanes of a query, in all of them.
__device__ __forceinline__ float of_lanes(float sum)
{
    sum += __shfl_xor_sync(0xffffffff, sum, 1);
    return sum + __shfl_xor_sync(0xffffffff, sum, 2);
}

template <int D>
__device__ __forceinline__ void attention(int n, int causal, float scale, const unsigned *q, const unsigned *k, const unsigned *v,
                                          unsigned *o)
{
    constexpr int WORDS = D / 2, OWN = WORDS / LANES; // pairs of a row, and of a lane
    const int part = threadIdx.x % LANES, row = threadIdx.x / LANES + blockIdx.x * (THREADS / LANES);
    const size_t head = (size_t)blockIdx.y * n * WORDS + part;
    const size_t own = head + (size_t)min(row, n - 1) * WORDS; // the last query again where there is none
    float lower_q[OWN], upper_q[OWN], lower_o[OWN] = {}, upper_o[OWN] = {};
#pragma unroll
    for (int i = 0; i < OWN; i++) {
        lower_q[i] = lower(q[own + i * LANES]) * scale;
        upper_q[i] = upper(q[own + i * LANES]) * scale;
    }
    float most = NOTHING, sum = 0.0f;
    for (int key = 0; key < n; key++) {
        const unsigned *const of_k = k + head + (size_t)key * WORDS, *const of_v = v + head + (size_t)key * WORDS;
        float score = 0.0f;
#pragma unroll
        for (int i = 0; i < OWN; i++) {
            score += lower_q[i] * lower(of_k[i * LANES]) + upper_q[i] * upper(of_k[i * LANES]);
        }
        score = of_lanes(score);
        if (causal && key > row) {
            score = NOTHING;
        }
        const float now = fmaxf(most, score), factor = exp2f(most - now), weight = exp2f(score - now);
        most = now;
        sum = sum * factor + weight;
#pragma unroll
        for (int i = 0; i < OWN; i++) {
            lower_o[i] = lower_o[i] * factor + weight * lower(of_v[i * LANES]);
            upper_o[i] = upper_o[i] * factor + weight * upper(of_v[i * LANES]);
        }
    }
    if (row < n) {
#pragma unroll
        for (int i = 0; i < OWN; i++) {
            o[own + i * LANES] = pair_of(lower_o[i] / sum, upper_o[i] / sum);
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS)
attention_64(int n, int causal, float scale, const unsigned *q, const unsigned *k, const unsigned *v, unsigned *o)
{
    attention<64>(n, causal, scale, q, k, v, o);
}

extern "C" __global__ void __launch_bounds__(THREADS)
attention_128(int n, int causal, float scale, const unsigned *q, const unsigned *k, const unsigned *v, unsigned *o)
{
    attention<128>(n, causal, scale, q, k, v, o);
}
