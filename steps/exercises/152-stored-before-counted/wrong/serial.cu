// says: work is badly divided
// A thread does the work of its block, and its last one merges.

__device__ unsigned finished[4096];

extern "C" __global__ void context(int keys, float scale, const unsigned short *q, const unsigned short *k, const unsigned short *v, float *sums, float2 *weights, float *o)
{
    const int head = blockIdx.y, part = head * gridDim.x + blockIdx.x;
    if (threadIdx.x > 0) {
        return;
    }
    const int share = (keys + gridDim.x - 1) / gridDim.x, from = blockIdx.x * share;
    float most = -3.402823466e38f, all = 0.0f, sum[128] = {};
    for (int key = from; key < min(from + share, keys); key++) {
        const size_t row = ((size_t)head * keys + key) * 128;
        float score = 0.0f;
        for (int i = 0; i < 128; i++) {
            score += scale * __uint_as_float((unsigned)q[head * 128 + i] << 16) * __uint_as_float((unsigned)k[row + i] << 16);
        }
        const float larger = fmaxf(most, score), factor = exp2f(most - larger), weight = exp2f(score - larger);
        most = larger;
        all = all * factor + weight;
        for (int i = 0; i < 128; i++) {
            sum[i] = sum[i] * factor + weight * __uint_as_float((unsigned)v[row + i] << 16);
        }
    }
    for (int i = 0; i < 128; i++) {
        sums[part * 128 + i] = sum[i];
    }
    weights[part] = make_float2(most, all);
    __threadfence();
    const int parts = gridDim.x;
    if (atomicInc(&finished[head], parts - 1) < parts - 1) {
        return;
    }
    __threadfence();
    float of_all = 0.0f;
    most = -3.402823466e38f;
    for (int i = 0; i < parts; i++) {
        most = fmaxf(most, weights[head * parts + i].x);
    }
    for (int i = 0; i < parts; i++) {
        of_all += exp2f(weights[head * parts + i].x - most) * weights[head * parts + i].y;
    }
    for (int j = 0; j < 128; j++) {
        float result = 0.0f;
        for (int i = 0; i < parts; i++) {
            result += exp2f(weights[head * parts + i].x - most) * sums[(head * parts + i) * 128 + j];
        }
        o[head * 128 + j] = result / of_all;
    }
}
