// SPDX-License-Identifier: MIT OR Apache-2.0
// The mean of values, weighted by powers of two of the scores of their keys, for a block of threads together.

#define SIZE 128 // elements of a row
#define EIGHT 8 // of them, for a lane
#define TEAM (SIZE / EIGHT) // lanes that share a row
#define THREADS 256 // of a block
#define TEAMS (THREADS / TEAM)
#define KEYS 4 // that a team takes at a time
#define LEAST -3.402823466e38f // no score is less
#define ALL 0xffffffff // lanes

// What some keys give. Weights are relative to the largest score, and `sum` is not divided by their sum yet.
struct Mean {
    float most; // of the scores
    float all; // the sum of the weights
    float sum[EIGHT]; // the weighted sum of a lane's elements of the values
};

// Makes floats of eight numbers of BF16.
__device__ __forceinline__ void floats_of(uint4 pairs, float (&numbers)[EIGHT])
{
    const unsigned word[] = {pairs.x, pairs.y, pairs.z, pairs.w};
#pragma unroll
    for (int i = 0; i < EIGHT / 2; i++) {
        numbers[2 * i] = __uint_as_float(word[i] << 16);
        numbers[2 * i + 1] = __uint_as_float(word[i] & 0xffff0000);
    }
}

// Takes `KEYS` keys from `first` on. Those from `end` on have no weight. Rows begin with the lane's own elements.
__device__ __forceinline__ void take(Mean &mean, const float (&query)[EIGHT], const uint4 *k, const uint4 *v, int first, int end)
{
    uint4 key[KEYS], value[KEYS];
#pragma unroll
    for (int i = 0; i < KEYS; i++) {
        const size_t place = (size_t)min(first + i, end - 1) * TEAM;
        key[i] = __ldcs(k + place);
        value[i] = __ldcs(v + place);
    }
    float score[KEYS], most = mean.most;
#pragma unroll
    for (int i = 0; i < KEYS; i++) {
        float element[EIGHT], product = 0.0f;
        floats_of(key[i], element);
#pragma unroll
        for (int j = 0; j < EIGHT; j++) {
            product += query[j] * element[j];
        }
#pragma unroll
        for (int step = TEAM / 2; step > 0; step /= 2) {
            product += __shfl_xor_sync(ALL, product, step);
        }
        score[i] = first + i < end ? product : __int_as_float(0xff800000);
        most = fmaxf(most, score[i]);
    }
    const float factor = exp2f(mean.most - most);
    mean.most = most;
    mean.all *= factor;
#pragma unroll
    for (int j = 0; j < EIGHT; j++) {
        mean.sum[j] *= factor;
    }
#pragma unroll
    for (int i = 0; i < KEYS; i++) {
        float element[EIGHT];
        floats_of(value[i], element);
        const float weight = exp2f(score[i] - most);
        mean.all += weight;
#pragma unroll
        for (int j = 0; j < EIGHT; j++) {
            mean.sum[j] += weight * element[j];
        }
    }
}

// The mean of the keys from `from` to `end` for each team of the block: each has some of them.
__device__ __forceinline__ Mean mean_of(int head, int keys, int from, int end, float scale, const uint4 *q, const uint4 *k, const uint4 *v)
{
    const int own = threadIdx.x % TEAM;
    float query[EIGHT];
    floats_of(q[head * TEAM + own], query);
#pragma unroll
    for (int j = 0; j < EIGHT; j++) {
        query[j] *= scale;
    }
    k += (size_t)head * keys * TEAM + own;
    v += (size_t)head * keys * TEAM + own;
    Mean mean = {LEAST, 0.0f, {}};
    // Both teams of a warp go through the loop equally often, since they shuffle together.
    for (int first = from + threadIdx.x / 32 * (2 * KEYS); first < end; first += TEAMS * KEYS) {
        take(mean, query, k, v, first + threadIdx.x % 32 / TEAM * KEYS, end);
    }
    return mean;
}

// Brings together `count` means, whose largest scores and sums of weights are `weights`: returns element `i` of the weighted sum.
__device__ __forceinline__ float merged(int count, const float2 *weights, const float *sums, int i, float2 &of_all)
{
    float most = LEAST;
    for (int j = 0; j < count; j++) {
        most = fmaxf(most, weights[j].x);
    }
    float all = 0.0f, sum = 0.0f;
    for (int j = 0; j < count; j++) {
        const float factor = exp2f(weights[j].x - most);
        all += factor * weights[j].y;
        sum += factor * sums[j * SIZE + i];
    }
    of_all = make_float2(most, all);
    return sum;
}

// The same of the block's teams, for threads below `SIZE`.
__device__ __forceinline__ float of_block(const Mean &mean, float2 &of_all)
{
    __shared__ float2 weights[TEAMS];
    __shared__ float sums[TEAMS * SIZE];
    const int team = threadIdx.x / TEAM, own = threadIdx.x % TEAM;
    if (own == 0) {
        weights[team] = make_float2(mean.most, mean.all);
    }
#pragma unroll
    for (int j = 0; j < EIGHT; j++) {
        sums[team * SIZE + own * EIGHT + j] = mean.sum[j];
    }
    __syncthreads(); // all means are there
    return threadIdx.x < SIZE ? merged(TEAMS, weights, sums, threadIdx.x, of_all) : 0.0f;
}
