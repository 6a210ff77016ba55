// SPDX-License-Identifier: MIT OR Apache-2.0
// What becomes of sums.

// C may hold anything if beta is 0.
__device__ __forceinline__ void store(float *c, float alpha, float sum, float beta)
{
    *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * *c;
}

// The same of four neighbours in a row that begin at a multiple of 16 bytes.
__device__ __forceinline__ void store_vector(float *c, float alpha, const float *sum, float beta)
{
    float4 old = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (beta != 0.0f) {
        old = *(const float4 *)c;
    }
    *(float4 *)c = make_float4(alpha * sum[0] + beta * old.x, alpha * sum[1] + beta * old.y,
                               alpha * sum[2] + beta * old.z, alpha * sum[3] + beta * old.w);
}

// The same of four neighbours, of which the first `count` are elements; `aligned`: they begin at a multiple of 16 bytes.
__device__ __forceinline__ void store4(float *c, int count, bool aligned, float alpha, const float *sum, float beta)
{
    if (aligned && count >= 4) {
        store_vector(c, alpha, sum, beta);
        return;
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        if (i < count) {
            store(c + i, alpha, sum[i], beta);
        }
    }
}

// The same of two neighbours.
__device__ __forceinline__ void store2(float *c, int count, bool aligned, float alpha, float first, float second, float beta)
{
    if (aligned && count >= 2) {
        float2 old = make_float2(0.0f, 0.0f);
        if (beta != 0.0f) {
            old = *(const float2 *)c;
        }
        *(float2 *)c = make_float2(alpha * first + beta * old.x, alpha * second + beta * old.y);
        return;
    }
    if (count >= 1) {
        store(c, alpha, first, beta);
    }
    if (count >= 2) {
        store(c + 1, alpha, second, beta);
    }
}
