// SPDX-License-Identifier: MIT OR Apache-2.0
// Arithmetic and conversions whose rounding is in their names: _rn to nearest, _rz to zero, _ru up, _rd down. A product and
// a sum of these are never fused.
#pragma once
#pragma clang system_header

// Flushing subnormal numbers is a mode of the whole program: --ftz=true.
#ifdef LADDER_FTZ
#define LADDER_FLUSH ".ftz"
#else
#define LADDER_FLUSH ""
#endif

#define LADDER_BINARY(name, type, c, operation)                                                                  \
    LADDER_FUNCTION type name(type x, type y)                                                                    \
    {                                                                                                            \
        type z;                                                                                                  \
        LADDER_PURE(operation " %0, %1, %2;" : "=" c(z) : c(x), c(y));                                           \
        return z;                                                                                                \
    }
#define LADDER_UNARY(name, to, c_to, from, c_from, operation)                                                    \
    LADDER_FUNCTION to name(from x)                                                                              \
    {                                                                                                            \
        to y;                                                                                                    \
        LADDER_PURE(operation " %0, %1;" : "=" c_to(y) : c_from(x));                                             \
        return y;                                                                                                \
    }
#define LADDER_FUSED(name, type, c, operation)                                                                   \
    LADDER_FUNCTION type name(type x, type y, type z)                                                            \
    {                                                                                                            \
        type sum;                                                                                                \
        LADDER_PURE(operation " %0, %1, %2, %3;" : "=" c(sum) : c(x), c(y), c(z));                               \
        return sum;                                                                                              \
    }
// PTX has other names for up and down.
#define LADDER_ROUNDED(r, mode)                                                                                  \
    LADDER_BINARY(__fadd_##r, float, "f", "add." #mode LADDER_FLUSH ".f32")                                      \
    LADDER_BINARY(__fsub_##r, float, "f", "sub." #mode LADDER_FLUSH ".f32")                                      \
    LADDER_BINARY(__fmul_##r, float, "f", "mul." #mode LADDER_FLUSH ".f32")                                      \
    LADDER_BINARY(__fdiv_##r, float, "f", "div." #mode LADDER_FLUSH ".f32")                                      \
    LADDER_FUSED(__fmaf_##r, float, "f", "fma." #mode LADDER_FLUSH ".f32")                                       \
    LADDER_UNARY(__frcp_##r, float, "f", float, "f", "rcp." #mode LADDER_FLUSH ".f32")                           \
    LADDER_UNARY(__fsqrt_##r, float, "f", float, "f", "sqrt." #mode LADDER_FLUSH ".f32")                         \
    LADDER_BINARY(__dadd_##r, double, "d", "add." #mode ".f64")                                                  \
    LADDER_BINARY(__dsub_##r, double, "d", "sub." #mode ".f64")                                                  \
    LADDER_BINARY(__dmul_##r, double, "d", "mul." #mode ".f64")                                                  \
    LADDER_BINARY(__ddiv_##r, double, "d", "div." #mode ".f64")                                                  \
    LADDER_FUSED(__fma_##r, double, "d", "fma." #mode ".f64")                                                    \
    LADDER_UNARY(__drcp_##r, double, "d", double, "d", "rcp." #mode ".f64")                                      \
    LADDER_UNARY(__dsqrt_##r, double, "d", double, "d", "sqrt." #mode ".f64")                                    \
    LADDER_UNARY(__int2float_##r, float, "f", int, "r", "cvt." #mode ".f32.s32")                                 \
    LADDER_UNARY(__uint2float_##r, float, "f", unsigned, "r", "cvt." #mode ".f32.u32")                           \
    LADDER_UNARY(__ll2float_##r, float, "f", long long, "l", "cvt." #mode ".f32.s64")                            \
    LADDER_UNARY(__ull2float_##r, float, "f", unsigned long long, "l", "cvt." #mode ".f32.u64")                  \
    LADDER_UNARY(__ll2double_##r, double, "d", long long, "l", "cvt." #mode ".f64.s64")                          \
    LADDER_UNARY(__ull2double_##r, double, "d", unsigned long long, "l", "cvt." #mode ".f64.u64")                \
    LADDER_UNARY(__double2float_##r, float, "f", double, "d", "cvt." #mode LADDER_FLUSH ".f32.f64")
LADDER_ROUNDED(rn, rn)
LADDER_ROUNDED(rz, rz)
LADDER_ROUNDED(ru, rp)
LADDER_ROUNDED(rd, rm)
#undef LADDER_ROUNDED

// To an integer the instructions name the same roundings otherwise.
#define LADDER_TO_INTEGER(r, ri)                                                                                 \
    LADDER_UNARY(__float2int_##r, int, "r", float, "f", "cvt." #ri LADDER_FLUSH ".s32.f32")                      \
    LADDER_UNARY(__float2uint_##r, unsigned, "r", float, "f", "cvt." #ri LADDER_FLUSH ".u32.f32")                \
    LADDER_UNARY(__float2ll_##r, long long, "l", float, "f", "cvt." #ri LADDER_FLUSH ".s64.f32")                 \
    LADDER_UNARY(__float2ull_##r, unsigned long long, "l", float, "f", "cvt." #ri LADDER_FLUSH ".u64.f32")       \
    LADDER_UNARY(__double2int_##r, int, "r", double, "d", "cvt." #ri ".s32.f64")                                 \
    LADDER_UNARY(__double2uint_##r, unsigned, "r", double, "d", "cvt." #ri ".u32.f64")                           \
    LADDER_UNARY(__double2ll_##r, long long, "l", double, "d", "cvt." #ri ".s64.f64")                            \
    LADDER_UNARY(__double2ull_##r, unsigned long long, "l", double, "d", "cvt." #ri ".u64.f64")
LADDER_TO_INTEGER(rn, rni)
LADDER_TO_INTEGER(rz, rzi)
LADDER_TO_INTEGER(ru, rpi)
LADDER_TO_INTEGER(rd, rmi)
#undef LADDER_TO_INTEGER

// Never with subnormal numbers taken for 0.
#define LADDER_IEEE(r, mode) LADDER_FUSED(__fmaf_ieee_##r, float, "f", "fma." #mode ".f32")
LADDER_IEEE(rn, rn)
LADDER_IEEE(rz, rz)
LADDER_IEEE(ru, rp)
LADDER_IEEE(rd, rm)
#undef LADDER_IEEE

LADDER_FUNCTION double __int2double_rn(int x) { return x; }
LADDER_FUNCTION double __uint2double_rn(unsigned x) { return x; }

// The special function unit's approximations, and what is made of them.
LADDER_UNARY(ladder_rsqrt, float, "f", float, "f", "rsqrt.approx" LADDER_FLUSH ".f32")
LADDER_UNARY(ladder_ex2, float, "f", float, "f", "ex2.approx" LADDER_FLUSH ".f32")
LADDER_UNARY(ladder_sine, float, "f", float, "f", "sin.approx" LADDER_FLUSH ".f32")
LADDER_UNARY(ladder_cosine, float, "f", float, "f", "cos.approx" LADDER_FLUSH ".f32")
LADDER_UNARY(__log2f, float, "f", float, "f", "lg2.approx" LADDER_FLUSH ".f32")
LADDER_UNARY(__saturatef, float, "f", float, "f", "cvt.sat" LADDER_FLUSH ".f32.f32")
LADDER_BINARY(__fdividef, float, "f", "div.approx" LADDER_FLUSH ".f32")
LADDER_UNARY(__frsqrt_rn, float, "f", float, "f", "rsqrt.approx" LADDER_FLUSH ".f32")
#if __CUDA_ARCH__ >= 750
LADDER_UNARY(__tanhf, float, "f", float, "f", "tanh.approx.f32")
#endif
#undef LADDER_BINARY
#undef LADDER_FUSED

LADDER_FUNCTION float __expf(float x) { return ladder_ex2(x * 1.4426950408889634f); }
LADDER_FUNCTION float __exp10f(float x) { return ladder_ex2(x * 3.3219280948873623f); }
LADDER_FUNCTION float __logf(float x) { return __log2f(x) * 0.69314718055994531f; }
LADDER_FUNCTION float __log10f(float x) { return __log2f(x) * 0.30102999566398120f; }
LADDER_FUNCTION float __powf(float x, float y) { return ladder_ex2(y * __log2f(x)); }
LADDER_FUNCTION float __sinf(float x) { return ladder_sine(x); }
LADDER_FUNCTION float __cosf(float x) { return ladder_cosine(x); }
LADDER_FUNCTION float __tanf(float x) { return __fdividef(ladder_sine(x), ladder_cosine(x)); }
LADDER_FUNCTION void __sincosf(float x, float* sine, float* cosine)
{
    *sine = ladder_sine(x);
    *cosine = ladder_cosine(x);
}
