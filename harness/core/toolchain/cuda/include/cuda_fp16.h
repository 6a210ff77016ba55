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
LADDER_FUNCTION __half __double2half(double x) { return x; }
LADDER_FUNCTION float __half2float(__half x) { return (float)x.value; }
#define LADDER_ROUNDED(r, mode)                                                                                  \
    LADDER_FUNCTION __half __float2half_##r(float x)                                                             \
    {                                                                                                            \
        unsigned short z;                                                                                        \
        LADDER_PURE("cvt." #mode ".f16.f32 %0, %1;" : "=h"(z) : "f"(x));                                         \
        return __builtin_bit_cast(__half, z);                                                                    \
    }
LADDER_ROUNDED(rz, rz)
LADDER_ROUNDED(ru, rp)
LADDER_ROUNDED(rd, rm)
#undef LADDER_ROUNDED
LADDER_FUNCTION __half __float2half_rn(float x) { return x; }

// One instruction each; a sum of a product is fused only in __hfma.
#define LADDER_HALF(name, op)                                                                                    \
    LADDER_FUNCTION __half __h##name(__half x, __half y)                                                         \
    {                                                                                                            \
        const unsigned short a = __builtin_bit_cast(unsigned short, x), b = __builtin_bit_cast(unsigned short, y);                                   \
        unsigned short z;                                                                                        \
        LADDER_PURE(op ".f16 %0, %1, %2;" : "=h"(z) : "h"(a), "h"(b));                                           \
        return __builtin_bit_cast(__half, z);                                                                              \
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
#else
LADDER_FUNCTION __half __hmin(__half x, __half y) { return fminf((float)x, (float)y); }
LADDER_FUNCTION __half __hmax(__half x, __half y) { return fmaxf((float)x, (float)y); }
LADDER_FUNCTION __half2 __hmin2(__half2 x, __half2 y) { return {__hmin(x.x, y.x), __hmin(x.y, y.y)}; }
LADDER_FUNCTION __half2 __hmax2(__half2 x, __half2 y) { return {__hmax(x.x, y.x), __hmax(x.y, y.y)}; }
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

#define LADDER_H __half
#define LADDER_H2 __half2
#define LADDER_N half
#define LADDER_N2 half2
#define LADDER_DOUBLED 2half2
#include "../narrow.cuh"

#if __CUDA_ARCH__ >= 600
LADDER_FUNCTION __half2 atomicAdd(__half2* address, __half2 x)
{
    unsigned before;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
                 : "=r"(before) : "l"(address), "r"(__builtin_bit_cast(unsigned, x)) : "memory");
    return __builtin_bit_cast(__half2, before);
}
#endif
#if __CUDA_ARCH__ >= 700
LADDER_FUNCTION __half atomicAdd(__half* address, __half x)
{
    unsigned short before;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
                 : "=h"(before) : "l"(address), "h"(__builtin_bit_cast(unsigned short, x)) : "memory");
    return __builtin_bit_cast(__half, before);
}
#endif
#undef LADDER_METHOD
