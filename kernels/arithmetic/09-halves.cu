// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the same in pairs of 16-bit floats.
// Why:     one instruction, on registers as before, makes two of them.
// Expect:  up to twice the speed, for results of 11 bits.

#define ROUNDS 255

// Two 16-bit floats in a register.
__device__ unsigned halves(float low, float high)
{
    unsigned both;
    asm("{ .reg .f16 l, h; cvt.rn.f16.f32 l, %1; cvt.rn.f16.f32 h, %2; mov.b32 %0, {l, h}; }"
        : "=r"(both) : "f"(low), "f"(high));
    return both;
}

__device__ float2 floats(unsigned both)
{
    float2 result;
    asm("{ .reg .f16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h; }"
        : "=f"(result.x), "=f"(result.y) : "r"(both));
    return result;
}

extern "C" __global__ void compute(int n, float sign, float whole, const float* in, float* out)
{
    const int i = 2 * (threadIdx.x + blockIdx.x * blockDim.x);
    if (i < n) {
        const unsigned a = halves(sign, sign), b = halves(whole, whole);
        unsigned x = halves(in[i], i + 1 < n ? in[i + 1] : 0.0f);
        for (int round = 0; round < ROUNDS; round++) {
            asm("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
        }
        out[i] = floats(x).x;
        if (i + 1 < n) out[i + 1] = floats(x).y;
    }
}
