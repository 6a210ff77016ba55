// SPDX-License-Identifier: MIT OR Apache-2.0
// bfloat16: the upper half of a float. Arithmetic is that of float, rounded once more, which gives the nearest bfloat16.
#pragma once
#pragma clang system_header

#define LADDER_METHOD __attribute__((device, always_inline, nodebug))

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __nv_bfloat16 {
    unsigned short bits;
    __nv_bfloat16() = default;
    LADDER_METHOD __nv_bfloat16(float x)
    {
        // To the nearest, a half to the even one; what is no number stays none.
        const unsigned all = __float_as_uint(x);
        bits = x != x ? 0x7fff : (unsigned short)((all + 0x7fff + (all >> 16 & 1)) >> 16);
    }
    LADDER_METHOD __nv_bfloat16(double x) : __nv_bfloat16(ladder_to_odd(x)) {}
    LADDER_METHOD __nv_bfloat16(int x) : __nv_bfloat16(ladder_to_odd(x)) {}
    LADDER_METHOD __nv_bfloat16(unsigned x) : __nv_bfloat16(ladder_to_odd(x)) {}
    LADDER_METHOD __nv_bfloat16(__nv_bfloat16_raw x) : bits(x.x) {}
    LADDER_METHOD operator float() const { return __uint_as_float((unsigned)bits << 16); }
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    LADDER_METHOD __nv_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) : x(x), y(y) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

LADDER_FUNCTION __nv_bfloat16 __float2bfloat16(float x) { return x; }
LADDER_FUNCTION __nv_bfloat16 __double2bfloat16(double x) { return x; }
LADDER_FUNCTION float __bfloat162float(__nv_bfloat16 x) { return x; }
LADDER_FUNCTION __nv_bfloat16 __float2bfloat16_rn(float x) { return x; }
// The lower half is left out; away from zero the next number is taken, if it was not 0.
LADDER_FUNCTION __nv_bfloat16 ladder_upper_half(float x, bool is_away)
{
    if (x != x || isinf(x)) return x;
    const unsigned all = __float_as_uint(x);
    return __nv_bfloat16_raw{(unsigned short)((all + (is_away ? 0xffff : 0)) >> 16)};
}
LADDER_FUNCTION __nv_bfloat16 __float2bfloat16_rz(float x) { return ladder_upper_half(x, false); }
LADDER_FUNCTION __nv_bfloat16 __float2bfloat16_ru(float x) { return ladder_upper_half(x, !signbit(x)); }
LADDER_FUNCTION __nv_bfloat16 __float2bfloat16_rd(float x) { return ladder_upper_half(x, signbit(x)); }

#define LADDER_BFLOAT(name, value)                                                                               \
    LADDER_FUNCTION __nv_bfloat16 name(__nv_bfloat16 g, __nv_bfloat16 h)                                         \
    {                                                                                                            \
        const float x = g, y = h;                                                                                \
        return value;                                                                                            \
    }                                                                                                            \
    LADDER_FUNCTION __nv_bfloat162 name##2(__nv_bfloat162 x, __nv_bfloat162 y)                                   \
    {                                                                                                            \
        return {name(x.x, y.x), name(x.y, y.y)};                                                                 \
    }
LADDER_BFLOAT(__hmin, fminf(x, y))
LADDER_BFLOAT(__hmax, fmaxf(x, y))
#if __CUDA_ARCH__ >= 800
// One instruction each: a sum is a product with 1, a product a sum with -0.
#define LADDER_FUSED(name, type, bits, c, width)                                                                 \
    LADDER_FUNCTION type name(type x, type y, type z)                                                            \
    {                                                                                                            \
        bits sum;                                                                                                \
        LADDER_PURE("fma.rn." width " %0, %1, %2, %3;"                                                           \
                    : "=" c(sum)                                                                                 \
                    : c(__builtin_bit_cast(bits, x)), c(__builtin_bit_cast(bits, y)), c(__builtin_bit_cast(bits, z))); \
        return __builtin_bit_cast(type, sum);                                                                    \
    }
LADDER_FUSED(__hfma, __nv_bfloat16, unsigned short, "h", "bf16")
LADDER_FUSED(__hfma2, __nv_bfloat162, unsigned, "r", "bf16x2")
#undef LADDER_FUSED
#define LADDER_BY_FUSED(name, first, second, third)                                                              \
    LADDER_FUNCTION __nv_bfloat16 name(__nv_bfloat16 x, __nv_bfloat16 y)                                         \
    {                                                                                                            \
        const __nv_bfloat16 one = 1.0f, less = -1.0f, none = -0.0f;                                              \
        return __hfma(first, second, third);                                                                     \
    }                                                                                                            \
    LADDER_FUNCTION __nv_bfloat162 name##2(__nv_bfloat162 x, __nv_bfloat162 y)                                   \
    {                                                                                                            \
        const __nv_bfloat162 one = {1.0f, 1.0f}, less = {-1.0f, -1.0f}, none = {-0.0f, -0.0f};                   \
        return __hfma2(first, second, third);                                                                    \
    }
LADDER_BY_FUSED(__hadd, x, one, y)
LADDER_BY_FUSED(__hsub, y, less, x)
LADDER_BY_FUSED(__hmul, x, y, none)
#undef LADDER_BY_FUSED
#else
LADDER_BFLOAT(__hadd, x + y)
LADDER_BFLOAT(__hsub, x - y)
LADDER_BFLOAT(__hmul, x * y)
LADDER_FUNCTION __nv_bfloat16 __hfma(__nv_bfloat16 x, __nv_bfloat16 y, __nv_bfloat16 z)
{
    // The product is exact in double. Of the sum an odd last digit says that it is not.
    const double product = (double)(float)x * (float)y, sum = __dadd_rz(product, (float)z);
    const bool is_exact = __dadd_rd(product, (float)z) == __dadd_ru(product, (float)z) || sum != sum;
    return is_exact ? sum : __longlong_as_double(__double_as_longlong(sum) | 1);
}
LADDER_FUNCTION __nv_bfloat162 __hfma2(__nv_bfloat162 x, __nv_bfloat162 y, __nv_bfloat162 z)
{
    return {__hfma(x.x, y.x, z.x), __hfma(x.y, y.y, z.y)};
}
#endif
#undef LADDER_BFLOAT

#define LADDER_H __nv_bfloat16
#define LADDER_H2 __nv_bfloat162
#define LADDER_N bfloat16
#define LADDER_N2 bfloat162
#define LADDER_DOUBLED 2bfloat162
#include "../narrow.cuh"
#undef LADDER_METHOD
