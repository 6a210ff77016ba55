// SPDX-License-Identifier: MIT OR Apache-2.0
// Half-precision numbers, one and two at a time.
#pragma once
#pragma clang system_header

#define LADDER_METHOD __attribute__((device, always_inline, nodebug))

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};

struct __half {
    _Float16 value;
    __half() = default;
    LADDER_METHOD __half(_Float16 x) : value(x) {}
    LADDER_METHOD __half(float x) : value((_Float16)x) {}
    LADDER_METHOD __half(double x) : value((_Float16)x) {}
    LADDER_METHOD __half(int x) : value((_Float16)x) {}
    LADDER_METHOD __half(unsigned x) : value((_Float16)x) {}
    LADDER_METHOD __half(__half_raw x) : value(__builtin_bit_cast(_Float16, x)) {}
    LADDER_METHOD operator float() const { return (float)value; }
    LADDER_METHOD operator __half_raw() const { return __builtin_bit_cast(__half_raw, value); }
};
typedef __half half;
typedef _Float16 ladder_half2 __attribute__((ext_vector_type(2)));
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
    __half2() = default;
    LADDER_METHOD __half2(__half x, __half y) : x(x), y(y) {}
    LADDER_METHOD __half2(ladder_half2 v) : x(v.x), y(v.y) {}
    LADDER_METHOD ladder_half2 pair() const { return {x.value, y.value}; }
};
typedef __half2 half2;

LADDER_FUNCTION __half __float2half(float x) { return x; }
LADDER_FUNCTION __half __float2half_rn(float x) { return x; }
LADDER_FUNCTION __half __double2half(double x) { return x; }
LADDER_FUNCTION float __half2float(__half x) { return (float)x.value; }
LADDER_FUNCTION __half __int2half_rn(int x) { return x; }
LADDER_FUNCTION __half __uint2half_rn(unsigned x) { return x; }
LADDER_FUNCTION int __half2int_rz(__half x) { return (int)x.value; }
LADDER_FUNCTION int __half2int_rn(__half x) { return __float2int_rn((float)x.value); }
LADDER_FUNCTION unsigned short __half_as_ushort(__half x) { return __builtin_bit_cast(unsigned short, x.value); }
LADDER_FUNCTION short __half_as_short(__half x) { return __builtin_bit_cast(short, x.value); }
LADDER_FUNCTION __half __ushort_as_half(unsigned short x) { return __builtin_bit_cast(_Float16, x); }
LADDER_FUNCTION __half __short_as_half(short x) { return __builtin_bit_cast(_Float16, x); }
LADDER_FUNCTION __half2 make_half2(__half x, __half y) { return {x, y}; }
LADDER_FUNCTION __half2 __halves2half2(__half x, __half y) { return {x, y}; }
LADDER_FUNCTION __half2 __half2half2(__half x) { return {x, x}; }
LADDER_FUNCTION __half2 __float2half2_rn(float x) { return {x, x}; }
LADDER_FUNCTION __half2 __floats2half2_rn(float x, float y) { return {x, y}; }
LADDER_FUNCTION __half2 __float22half2_rn(float2 x) { return {x.x, x.y}; }
LADDER_FUNCTION float2 __half22float2(__half2 x) { return {(float)x.x, (float)x.y}; }
LADDER_FUNCTION __half __low2half(__half2 x) { return x.x; }
LADDER_FUNCTION __half __high2half(__half2 x) { return x.y; }
LADDER_FUNCTION float __low2float(__half2 x) { return (float)x.x; }
LADDER_FUNCTION float __high2float(__half2 x) { return (float)x.y; }
LADDER_FUNCTION __half2 __lowhigh2highlow(__half2 x) { return {x.y, x.x}; }

// One instruction each; a sum of a product is fused only in __hfma.
#define LADDER_HALF(name, op)                                                                                    \
    LADDER_FUNCTION __half __h##name(__half x, __half y)                                                         \
    {                                                                                                            \
        const unsigned short a = __half_as_ushort(x), b = __half_as_ushort(y);                                   \
        unsigned short z;                                                                                        \
        LADDER_PURE(op ".f16 %0, %1, %2;" : "=h"(z) : "h"(a), "h"(b));                                           \
        return __ushort_as_half(z);                                                                              \
    }                                                                                                            \
    LADDER_FUNCTION __half2 __h##name##2(__half2 x, __half2 y)                                                   \
    {                                                                                                            \
        const unsigned a = __builtin_bit_cast(unsigned, x), b = __builtin_bit_cast(unsigned, y);                 \
        unsigned z;                                                                                              \
        LADDER_PURE(op ".f16x2 %0, %1, %2;" : "=r"(z) : "r"(a), "r"(b));                                         \
        return __builtin_bit_cast(__half2, z);                                                                   \
    }
LADDER_HALF(add, "add.rn")
LADDER_HALF(sub, "sub.rn")
LADDER_HALF(mul, "mul.rn")
#if __CUDA_ARCH__ >= 800
LADDER_HALF(min, "min")
LADDER_HALF(max, "max")
#endif
#undef LADDER_HALF
LADDER_FUNCTION __half __hfma(__half x, __half y, __half z)
{
    return __builtin_elementwise_fma(x.value, y.value, z.value);
}
LADDER_FUNCTION __half2 __hfma2(__half2 x, __half2 y, __half2 z)
{
    return __builtin_elementwise_fma(x.pair(), y.pair(), z.pair());
}
LADDER_FUNCTION __half __hdiv(__half x, __half y) { return (float)x.value / (float)y.value; }
LADDER_FUNCTION __half2 __h2div(__half2 x, __half2 y) { return {__hdiv(x.x, y.x), __hdiv(x.y, y.y)}; }
LADDER_FUNCTION __half __hneg(__half x) { return -x.value; }
LADDER_FUNCTION __half2 __hneg2(__half2 x) { return -x.pair(); }
LADDER_FUNCTION __half __habs(__half x) { return __ushort_as_half(__half_as_ushort(x) & 0x7fff); }
LADDER_FUNCTION __half2 __habs2(__half2 x) { return {__habs(x.x), __habs(x.y)}; }
LADDER_FUNCTION bool __hisnan(__half x) { return x.value != x.value; }
LADDER_FUNCTION __half hsqrt(__half x) { return sqrtf((float)x.value); }
LADDER_FUNCTION __half hrsqrt(__half x) { return rsqrtf((float)x.value); }
LADDER_FUNCTION __half hexp(__half x) { return expf((float)x.value); }
LADDER_FUNCTION __half hlog(__half x) { return logf((float)x.value); }
LADDER_FUNCTION __half hsin(__half x) { return sinf((float)x.value); }
LADDER_FUNCTION __half hcos(__half x) { return cosf((float)x.value); }
LADDER_FUNCTION __half hrcp(__half x) { return 1.0f / (float)x.value; }

#define LADDER_COMPARISON(name, op)                                                                              \
    LADDER_FUNCTION bool __h##name(__half x, __half y) { return x.value op y.value; }                            \
    LADDER_FUNCTION bool operator op(__half x, __half y) { return x.value op y.value; }
LADDER_COMPARISON(eq, ==)
LADDER_COMPARISON(ne, !=)
LADDER_COMPARISON(lt, <)
LADDER_COMPARISON(le, <=)
LADDER_COMPARISON(gt, >)
LADDER_COMPARISON(ge, >=)
#undef LADDER_COMPARISON
#define LADDER_OPERATOR(op, of_one, of_two)                                                                      \
    LADDER_FUNCTION __half operator op(__half x, __half y) { return of_one(x, y); }                              \
    LADDER_FUNCTION __half2 operator op(__half2 x, __half2 y) { return of_two(x, y); }                           \
    LADDER_FUNCTION __half& operator op##=(__half& x, __half y) { return x = of_one(x, y); }                     \
    LADDER_FUNCTION __half2& operator op##=(__half2& x, __half2 y) { return x = of_two(x, y); }
LADDER_OPERATOR(+, __hadd, __hadd2)
LADDER_OPERATOR(-, __hsub, __hsub2)
LADDER_OPERATOR(*, __hmul, __hmul2)
LADDER_OPERATOR(/, __hdiv, __h2div)
#undef LADDER_OPERATOR
LADDER_FUNCTION __half operator-(__half x) { return __hneg(x); }
LADDER_FUNCTION __half2 operator-(__half2 x) { return __hneg2(x); }

#define LADDER_SHUFFLE(name)                                                                                     \
    LADDER_FUNCTION __half2 name(unsigned mask, __half2 x, int lane, int width = 32)                             \
    {                                                                                                            \
        return __builtin_bit_cast(__half2, name(mask, __builtin_bit_cast(unsigned, x), lane, width));            \
    }                                                                                                            \
    LADDER_FUNCTION __half name(unsigned mask, __half x, int lane, int width = 32)                               \
    {                                                                                                            \
        return __ushort_as_half(name(mask, (unsigned)__half_as_ushort(x), lane, width));                         \
    }
LADDER_SHUFFLE(__shfl_sync)
LADDER_SHUFFLE(__shfl_up_sync)
LADDER_SHUFFLE(__shfl_down_sync)
LADDER_SHUFFLE(__shfl_xor_sync)
#undef LADDER_SHUFFLE
#undef LADDER_METHOD
