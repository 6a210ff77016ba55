// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: three kernels compute all scores, a softmax of each row of them, and its product with V.
// Why:     each is a loop that we know. The scores of all queries and keys are in memory between them.
// Expect:  little: n * n scores are written and read several times, and no element of K or V is used twice from a register.

#include "bf16.cuh"

// The score of a query and a key, for each thread. `scale` includes log2(e), so that weights are powers of two.
extern "C" __global__ void scores(int n, int d, int causal, float scale, const unsigned short *q, const unsigned short *k, float *s)
{
    const int key = threadIdx.x + blockIdx.x * 32, row = threadIdx.y + blockIdx.y * 8;
    if (key >= n || row >= n) {
        return;
    }
    const size_t head = (size_t)blockIdx.z * n;
    float sum = 0.0f;
    for (int i = 0; i < d; i++) {
        sum += lower(q[(head + row) * d + i]) * lower(k[(head + key) * d + i]);
    }
    s[(head + row) * n + key] = causal && key > row ? NOTHING : sum * scale;
}

// Weights of a row, whose sum is 1, by each warp.
extern "C" __global__ void weights(int n, float *s)
{
    const int lane = threadIdx.x, row = threadIdx.y + blockIdx.x * 8;
    if (row >= n) {
        return;
    }
    float *const own = s + ((size_t)blockIdx.y * n + row) * n;
    float most = NOTHING, sum = 0.0f;
    for (int i = lane; i < n; i += 32) {
        most = fmaxf(most, own[i]);
    }
    for (int step = 16; step > 0; step /= 2) {
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, step));
    }
    for (int i = lane; i < n; i += 32) {
        sum += exp2f(own[i] - most);
    }
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, step);
    }
    for (int i = lane; i < n; i += 32) {
        own[i] = exp2f(own[i] - most) / sum;
    }
}

// Two elements of a row of O, for each thread.
extern "C" __global__ void attention(int n, int d, const float *s, const unsigned short *v, unsigned short *o)
{
    const int column = 2 * (threadIdx.x + blockIdx.x * 32), row = threadIdx.y + blockIdx.y * 8;
    if (row >= n) {
        return;
    }
    const size_t head = (size_t)blockIdx.z * n;
    float first = 0.0f, second = 0.0f;
    for (int i = 0; i < n; i++) {
        const unsigned pair = *(const unsigned *)(v + (head + i) * d + column);
        const float weight = s[(head + row) * n + i];
        first += weight * lower(pair);
        second += weight * upper(pair);
    }
    *(unsigned *)(o + (head + row) * d + column) = pair_of(first, second);
}
