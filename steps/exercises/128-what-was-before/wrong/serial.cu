// says: work is badly divided
// A thread does the work of its block.

__device__ __forceinline__ float number(unsigned short bits)
{
    return __uint_as_float((unsigned)bits << 16);
}

template <int D>
__device__ void attention(int n, int causal, float scale, const unsigned short *q, const unsigned short *k, const unsigned short *v, unsigned short *o)
{
    if (threadIdx.x > 0) {
        return;
    }
    const size_t head = (size_t)blockIdx.y * n * D;
    for (int row = blockIdx.x * 32; row < min(n, (int)(blockIdx.x + 1) * 32); row++) {
        const int end = causal ? row + 1 : n;
        float most = __int_as_float(0xff800000), sum = 0.0f, out[D] = {};
        for (int key = 0; key < end; key++) {
            float score = 0.0f;
            for (int i = 0; i < D; i++) {
                score += number(q[head + row * D + i]) * number(k[head + key * D + i]);
            }
            const float now = fmaxf(most, score * scale), factor = exp2f(most - now), weight = exp2f(score * scale - now);
            most = now;
            sum = sum * factor + weight;
            for (int i = 0; i < D; i++) {
                out[i] = out[i] * factor + weight * number(v[head + key * D + i]);
            }
        }
        for (int i = 0; i < D; i++) {
            unsigned pair;
            asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(0.0f), "f"(out[i] / sum));
            o[head + row * D + i] = (unsigned short)pair;
        }
    }
}

extern "C" __global__ void attention_64(int n, int causal, float scale, const unsigned short *q, const unsigned short *k, const unsigned short *v, unsigned short *o)
{
    attention<64>(n, causal, scale, q, k, v, o);
}

extern "C" __global__ void attention_128(int n, int causal, float scale, const unsigned short *q, const unsigned short *k, const unsigned short *v, unsigned short *o)
{
    attention<128>(n, causal, scale, q, k, v, o);
}
