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
        bits = x != x ? 0x7fff : (all + 0x7fff + (all >> 16 & 1)) >> 16;
    }
    LADDER_METHOD __nv_bfloat16(__nv_bfloat16_raw x) : bits(x.x) {}
    LADDER_METHOD operator float() const { return __uint_as_float((unsigned)bits << 16); }
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

LADDER_FUNCTION __nv_bfloat16 __float2bfloat16(float x) { return x; }
LADDER_FUNCTION __nv_bfloat16 __float2bfloat16_rn(float x) { return x; }
LADDER_FUNCTION float __bfloat162float(__nv_bfloat16 x) { return x; }
LADDER_FUNCTION __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {x, y}; }
LADDER_FUNCTION __nv_bfloat162 __float22bfloat162_rn(float2 x) { return {x.x, x.y}; }
LADDER_FUNCTION float2 __bfloat1622float2(__nv_bfloat162 x) { return {(float)x.x, (float)x.y}; }
LADDER_FUNCTION __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
LADDER_FUNCTION __nv_bfloat16 __low2bfloat16(__nv_bfloat162 x) { return x.x; }
LADDER_FUNCTION __nv_bfloat16 __high2bfloat16(__nv_bfloat162 x) { return x.y; }
LADDER_FUNCTION unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.bits; }
LADDER_FUNCTION __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return __nv_bfloat16_raw{x}; }

#define LADDER_BFLOAT(name, op)                                                                                  \
    LADDER_FUNCTION __nv_bfloat16 name(__nv_bfloat16 x, __nv_bfloat16 y)                                         \
    {                                                                                                            \
        const float z = (float)x op (float)y;                                                                    \
        return z;                                                                                                \
    }                                                                                                            \
    LADDER_FUNCTION __nv_bfloat162 name##2(__nv_bfloat162 x, __nv_bfloat162 y)                                   \
    {                                                                                                            \
        return {name(x.x, y.x), name(x.y, y.y)};                                                                 \
    }                                                                                                            \
    LADDER_FUNCTION __nv_bfloat16 operator op(__nv_bfloat16 x, __nv_bfloat16 y) { return name(x, y); }           \
    LADDER_FUNCTION __nv_bfloat16& operator op##=(__nv_bfloat16& x, __nv_bfloat16 y) { return x = name(x, y); }
LADDER_BFLOAT(__hadd, +)
LADDER_BFLOAT(__hsub, -)
LADDER_BFLOAT(__hmul, *)
LADDER_BFLOAT(__hdiv, /)
#undef LADDER_BFLOAT
LADDER_FUNCTION __nv_bfloat16 __hfma(__nv_bfloat16 x, __nv_bfloat16 y, __nv_bfloat16 z)
{
    return fmaf((float)x, (float)y, (float)z);
}
LADDER_FUNCTION __nv_bfloat16 operator-(__nv_bfloat16 x) { return __ushort_as_bfloat16(x.bits ^ 0x8000); }
#define LADDER_COMPARISON(op)                                                                                    \
    LADDER_FUNCTION bool operator op(__nv_bfloat16 x, __nv_bfloat16 y) { return (float)x op (float)y; }
LADDER_COMPARISON(==)
LADDER_COMPARISON(!=)
LADDER_COMPARISON(<)
LADDER_COMPARISON(<=)
LADDER_COMPARISON(>)
LADDER_COMPARISON(>=)
#undef LADDER_COMPARISON
#undef LADDER_METHOD
