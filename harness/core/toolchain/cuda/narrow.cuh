// SPDX-License-Identifier: MIT OR Apache-2.0
// What numbers of 16 bits have in common. cuda_fp16.h and cuda_bf16.h read this file, each with its own names:
// LADDER_H and LADDER_H2 are the type and the pair, LADDER_N and LADDER_N2 what they are called in names of functions.
// float has more than twice their digits, so that what is computed there and rounded is the nearest number.
#define LADDER_PASTE_(a, b, c) a##b##c
#define LADDER_PASTE(a, b, c) LADDER_PASTE_(a, b, c)
#define LADDER_TO(from, r) LADDER_PASTE(__##from##2, LADDER_N, _##r)
#define LADDER_FROM(to, r) LADDER_PASTE(__, LADDER_N, 2##to##_##r)

LADDER_FUNCTION unsigned short LADDER_PASTE(__, LADDER_N, _as_ushort)(LADDER_H x)
{
    return __builtin_bit_cast(unsigned short, x);
}
LADDER_FUNCTION short LADDER_PASTE(__, LADDER_N, _as_short)(LADDER_H x) { return __builtin_bit_cast(short, x); }
LADDER_FUNCTION LADDER_H LADDER_PASTE(__ushort_as_, LADDER_N, )(unsigned short x) { return __builtin_bit_cast(LADDER_H, x); }
LADDER_FUNCTION LADDER_H LADDER_PASTE(__short_as_, LADDER_N, )(short x) { return __builtin_bit_cast(LADDER_H, x); }

// From integers of all widths, and to them: the nearest one, towards zero, up, down.
#define LADDER_INTEGER(r, name, type)                                                                         \
    LADDER_FUNCTION LADDER_H LADDER_TO(name, r)(type x) { return LADDER_TO(float, r)(ladder_to_odd(x)); }
#define LADDER_ROUNDED(r)                                                                                        \
    LADDER_INTEGER(r, short, short)                                                                           \
    LADDER_INTEGER(r, ushort, unsigned short)                                                                 \
    LADDER_INTEGER(r, int, int)                                                                               \
    LADDER_INTEGER(r, uint, unsigned)                                                                         \
    LADDER_INTEGER(r, ll, long long)                                                                          \
    LADDER_INTEGER(r, ull, unsigned long long)                                                                \
    LADDER_FUNCTION int LADDER_FROM(int, r)(LADDER_H x) { return __float2int_##r((float)x); }                    \
    LADDER_FUNCTION unsigned LADDER_FROM(uint, r)(LADDER_H x) { return __float2uint_##r((float)x); }             \
    LADDER_FUNCTION long long LADDER_FROM(ll, r)(LADDER_H x) { return __float2ll_##r((float)x); }                \
    LADDER_FUNCTION unsigned long long LADDER_FROM(ull, r)(LADDER_H x) { return __float2ull_##r((float)x); }     \
    LADDER_FUNCTION short LADDER_FROM(short, r)(LADDER_H x)                                                      \
    {                                                                                                            \
        return (short)min(max(__float2int_##r((float)x), -32768), 32767);                                        \
    }                                                                                                            \
    LADDER_FUNCTION unsigned short LADDER_FROM(ushort, r)(LADDER_H x)                                            \
    {                                                                                                            \
        return (unsigned short)min(__float2uint_##r((float)x), 65535u);                                          \
    }
LADDER_ROUNDED(rn)
LADDER_ROUNDED(rz)
LADDER_ROUNDED(ru)
LADDER_ROUNDED(rd)
#undef LADDER_ROUNDED
#undef LADDER_INTEGER
LADDER_FUNCTION signed char LADDER_FROM(char, rz)(LADDER_H x) { return min(max(__float2int_rz((float)x), -128), 127); }
LADDER_FUNCTION unsigned char LADDER_FROM(uchar, rz)(LADDER_H x) { return min(__float2uint_rz((float)x), 255u); }

// Pairs.
LADDER_FUNCTION LADDER_H2 LADDER_PASTE(__halves2, LADDER_N2, )(LADDER_H x, LADDER_H y) { return {x, y}; }
LADDER_FUNCTION LADDER_H2 LADDER_PASTE(make_, LADDER_N2, )(LADDER_H x, LADDER_H y) { return {x, y}; }
LADDER_FUNCTION LADDER_H2 LADDER_PASTE(__, LADDER_N, LADDER_DOUBLED)(LADDER_H x) { return {x, x}; }
LADDER_FUNCTION LADDER_H2 LADDER_PASTE(__float2, LADDER_N2, _rn)(float x) { return {x, x}; }
LADDER_FUNCTION LADDER_H2 LADDER_PASTE(__floats2, LADDER_N2, _rn)(float x, float y) { return {x, y}; }
LADDER_FUNCTION LADDER_H2 LADDER_PASTE(__float22, LADDER_N2, _rn)(float2 x) { return {x.x, x.y}; }
LADDER_FUNCTION float2 LADDER_PASTE(__, LADDER_N2, 2float2)(LADDER_H2 x) { return {(float)x.x, (float)x.y}; }
LADDER_FUNCTION LADDER_H LADDER_PASTE(__low2, LADDER_N, )(LADDER_H2 x) { return x.x; }
LADDER_FUNCTION LADDER_H LADDER_PASTE(__high2, LADDER_N, )(LADDER_H2 x) { return x.y; }
LADDER_FUNCTION LADDER_H2 LADDER_PASTE(__low2, LADDER_N2, )(LADDER_H2 x) { return {x.x, x.x}; }
LADDER_FUNCTION LADDER_H2 LADDER_PASTE(__high2, LADDER_N2, )(LADDER_H2 x) { return {x.y, x.y}; }
LADDER_FUNCTION LADDER_H2 LADDER_PASTE(__lows2, LADDER_N2, )(LADDER_H2 x, LADDER_H2 y) { return {x.x, y.x}; }
LADDER_FUNCTION LADDER_H2 LADDER_PASTE(__highs2, LADDER_N2, )(LADDER_H2 x, LADDER_H2 y) { return {x.y, y.y}; }
LADDER_FUNCTION float __low2float(LADDER_H2 x) { return (float)x.x; }
LADDER_FUNCTION float __high2float(LADDER_H2 x) { return (float)x.y; }
LADDER_FUNCTION LADDER_H2 __lowhigh2highlow(LADDER_H2 x) { return {x.y, x.x}; }

// Of one number, of each number of a pair.
#define LADDER_OF_ONE(one, two, value)                                                                           \
    LADDER_FUNCTION LADDER_H one(LADDER_H h)                                                                     \
    {                                                                                                            \
        const float x = (float)h;                                                                                \
        return value;                                                                                            \
    }                                                                                                            \
    LADDER_FUNCTION LADDER_H2 two(LADDER_H2 x) { return {one(x.x), one(x.y)}; }
LADDER_OF_ONE(__habs, __habs2, fabsf(x))
LADDER_OF_ONE(__hneg, __hneg2, -x)
LADDER_OF_ONE(hceil, h2ceil, ceilf(x))
LADDER_OF_ONE(hfloor, h2floor, floorf(x))
LADDER_OF_ONE(htrunc, h2trunc, truncf(x))
LADDER_OF_ONE(hrint, h2rint, rintf(x))
LADDER_OF_ONE(hsqrt, h2sqrt, ladder_sqrt(x))
LADDER_OF_ONE(hrsqrt, h2rsqrt, rsqrtf(x))
LADDER_OF_ONE(hrcp, h2rcp, 1.0f / x)
LADDER_OF_ONE(hexp, h2exp, ladder_exp(x))
LADDER_OF_ONE(hexp2, h2exp2, ladder_exp2(x))
LADDER_OF_ONE(hexp10, h2exp10, ladder_exp10(x))
LADDER_OF_ONE(hlog, h2log, ladder_log(x))
LADDER_OF_ONE(hlog2, h2log2, ladder_log2(x))
LADDER_OF_ONE(hlog10, h2log10, ladder_log10(x))
LADDER_OF_ONE(hsin, h2sin, ladder_sin(x))
LADDER_OF_ONE(hcos, h2cos, ladder_cos(x))
LADDER_OF_ONE(htanh, h2tanh, ladder_tanh(x))
LADDER_OF_ONE(htanh_approx, h2tanh_approx, ladder_tanh(x))
LADDER_OF_ONE(ladder_saturated, ladder_saturated, __saturatef(x))
LADDER_OF_ONE(ladder_positive, ladder_positive, x != x ? x : fmaxf(x, 0.0f))
#undef LADDER_OF_ONE
LADDER_FUNCTION bool __hisnan(LADDER_H x) { return isnan((float)x); }
LADDER_FUNCTION int __hisinf(LADDER_H x) { return isinf((float)x) ? signbit((float)x) ? -1 : 1 : 0; }

// Of two numbers: the operation's own function, rounded alone, and kept within 0 and 1.
#define LADDER_OF_TWO(name, op)                                                                                  \
    LADDER_FUNCTION LADDER_H name##_rn(LADDER_H x, LADDER_H y) { return name(x, y); }                            \
    LADDER_FUNCTION LADDER_H2 name##2_rn(LADDER_H2 x, LADDER_H2 y) { return name##2(x, y); }                     \
    LADDER_FUNCTION LADDER_H name##_sat(LADDER_H x, LADDER_H y) { return ladder_saturated(name(x, y)); }         \
    LADDER_FUNCTION LADDER_H2 name##2_sat(LADDER_H2 x, LADDER_H2 y) { return ladder_saturated(name##2(x, y)); }  \
    LADDER_OPERATOR(op, name, name##2)
#define LADDER_OPERATOR(op, one, two)                                                                            \
    LADDER_FUNCTION LADDER_H operator op(LADDER_H x, LADDER_H y) { return one(x, y); }                           \
    LADDER_FUNCTION LADDER_H2 operator op(LADDER_H2 x, LADDER_H2 y) { return two(x, y); }                        \
    LADDER_FUNCTION LADDER_H& operator op##=(LADDER_H& x, LADDER_H y) { return x = one(x, y); }                  \
    LADDER_FUNCTION LADDER_H2& operator op##=(LADDER_H2& x, LADDER_H2 y) { return x = two(x, y); }
LADDER_OF_TWO(__hadd, +)
LADDER_OF_TWO(__hsub, -)
LADDER_OF_TWO(__hmul, *)
LADDER_FUNCTION LADDER_H __hdiv(LADDER_H x, LADDER_H y) { return (float)x / (float)y; }
LADDER_FUNCTION LADDER_H2 __h2div(LADDER_H2 x, LADDER_H2 y) { return {__hdiv(x.x, y.x), __hdiv(x.y, y.y)}; }
LADDER_OPERATOR(/, __hdiv, __h2div)
#undef LADDER_OF_TWO
#undef LADDER_OPERATOR
LADDER_FUNCTION LADDER_H operator+(LADDER_H x) { return x; }
LADDER_FUNCTION LADDER_H operator-(LADDER_H x) { return __hneg(x); }
LADDER_FUNCTION LADDER_H2 operator+(LADDER_H2 x) { return x; }
LADDER_FUNCTION LADDER_H2 operator-(LADDER_H2 x) { return __hneg2(x); }
LADDER_FUNCTION LADDER_H& operator++(LADDER_H& x) { return x = x + LADDER_H(1.0f); }
LADDER_FUNCTION LADDER_H& operator--(LADDER_H& x) { return x = x - LADDER_H(1.0f); }
LADDER_FUNCTION LADDER_H __hfma_sat(LADDER_H x, LADDER_H y, LADDER_H z) { return ladder_saturated(__hfma(x, y, z)); }
LADDER_FUNCTION LADDER_H __hfma_relu(LADDER_H x, LADDER_H y, LADDER_H z) { return ladder_positive(__hfma(x, y, z)); }
LADDER_FUNCTION LADDER_H2 __hfma2_sat(LADDER_H2 x, LADDER_H2 y, LADDER_H2 z) { return ladder_saturated(__hfma2(x, y, z)); }
LADDER_FUNCTION LADDER_H2 __hfma2_relu(LADDER_H2 x, LADDER_H2 y, LADDER_H2 z) { return ladder_positive(__hfma2(x, y, z)); }
// Complex numbers: the product of x and y, and z.
LADDER_FUNCTION LADDER_H2 __hcmadd(LADDER_H2 x, LADDER_H2 y, LADDER_H2 z)
{
    return {__hfma(-x.y, y.y, __hfma(x.x, y.x, z.x)), __hfma(x.y, y.x, __hfma(x.x, y.y, z.y))};
}

#define LADDER_EXTREME(name)                                                                           \
    LADDER_FUNCTION LADDER_H name##_nan(LADDER_H x, LADDER_H y) { return __hisnan(x) ? x : __hisnan(y) ? y : name(x, y); } \
    LADDER_FUNCTION LADDER_H2 name##2_nan(LADDER_H2 x, LADDER_H2 y)                                              \
    {                                                                                                            \
        return {name##_nan(x.x, y.x), name##_nan(x.y, y.y)};                                                     \
    }
LADDER_EXTREME(__hmin)
LADDER_EXTREME(__hmax)
#undef LADDER_EXTREME

// Comparisons, ordered and not: of numbers; of pairs as 1 or 0 for each, as a mask, and whether both hold.
#define LADDER_COMPARED(name, what)                                                                              \
    LADDER_FUNCTION bool __h##name(LADDER_H h, LADDER_H g)                                                       \
    {                                                                                                            \
        const float x = (float)h, y = (float)g;                                                                  \
        return what;                                                                                             \
    }                                                                                                            \
    LADDER_FUNCTION bool __hb##name##2(LADDER_H2 x, LADDER_H2 y) { return __h##name(x.x, y.x) && __h##name(x.y, y.y); } \
    LADDER_FUNCTION LADDER_H2 __h##name##2(LADDER_H2 x, LADDER_H2 y)                                             \
    {                                                                                                            \
        return {__h##name(x.x, y.x) ? 1.0f : 0.0f, __h##name(x.y, y.y) ? 1.0f : 0.0f};                           \
    }                                                                                                            \
    LADDER_FUNCTION unsigned __h##name##2_mask(LADDER_H2 x, LADDER_H2 y)                                         \
    {                                                                                                            \
        return (__h##name(x.x, y.x) ? 0xffffu : 0) | (__h##name(x.y, y.y) ? 0xffff0000u : 0);                    \
    }
#define LADDER_COMPARISON(name, op, own)                                                                         \
    LADDER_COMPARED(name, x op y && x == x && y == y)                                                            \
    LADDER_COMPARED(name##u, x op y || x != x || y != y)                                                         \
    LADDER_FUNCTION bool operator op(LADDER_H x, LADDER_H y) { return __h##own(x, y); }                          \
    LADDER_FUNCTION bool operator op(LADDER_H2 x, LADDER_H2 y) { return __hb##own##2(x, y); }
LADDER_COMPARISON(eq, ==, eq)
LADDER_COMPARISON(ne, !=, neu)
LADDER_COMPARISON(lt, <, lt)
LADDER_COMPARISON(le, <=, le)
LADDER_COMPARISON(gt, >, gt)
LADDER_COMPARISON(ge, >=, ge)
#undef LADDER_COMPARISON
#undef LADDER_COMPARED
LADDER_FUNCTION LADDER_H2 __hisnan2(LADDER_H2 x) { return __hneu2(x, x); }

// As words and halves of words: exchanges between lanes, loads and stores.
#define LADDER_SHUFFLE(name)                                                                                     \
    LADDER_FUNCTION LADDER_H2 name(unsigned mask, LADDER_H2 x, int lane, int width = 32)                         \
    {                                                                                                            \
        return __builtin_bit_cast(LADDER_H2, name(mask, __builtin_bit_cast(unsigned, x), lane, width));          \
    }                                                                                                            \
    LADDER_FUNCTION LADDER_H name(unsigned mask, LADDER_H x, int lane, int width = 32)                           \
    {                                                                                                            \
        const unsigned word = __builtin_bit_cast(unsigned short, x);                                             \
        return __builtin_bit_cast(LADDER_H, (unsigned short)name(mask, word, lane, width));                      \
    }
LADDER_SHUFFLE(__shfl_sync)
LADDER_SHUFFLE(__shfl_up_sync)
LADDER_SHUFFLE(__shfl_down_sync)
LADDER_SHUFFLE(__shfl_xor_sync)
#undef LADDER_SHUFFLE
#define LADDER_LOAD(name)                                                                                        \
    LADDER_FUNCTION LADDER_H name(const LADDER_H* from)                                                          \
    {                                                                                                            \
        return __builtin_bit_cast(LADDER_H, name((const unsigned short*)from));                                  \
    }                                                                                                            \
    LADDER_FUNCTION LADDER_H2 name(const LADDER_H2* from)                                                        \
    {                                                                                                            \
        return __builtin_bit_cast(LADDER_H2, name((const unsigned*)from));                                       \
    }
LADDER_LOAD(__ldg)
LADDER_LOAD(__ldca)
LADDER_LOAD(__ldcg)
LADDER_LOAD(__ldcs)
LADDER_LOAD(__ldlu)
LADDER_LOAD(__ldcv)
#undef LADDER_LOAD
#define LADDER_STORE(name)                                                                                       \
    LADDER_FUNCTION void name(LADDER_H* to, LADDER_H x) { name((unsigned short*)to, __builtin_bit_cast(unsigned short, x)); } \
    LADDER_FUNCTION void name(LADDER_H2* to, LADDER_H2 x) { name((unsigned*)to, __builtin_bit_cast(unsigned, x)); }
LADDER_STORE(__stwb)
LADDER_STORE(__stcg)
LADDER_STORE(__stcs)
LADDER_STORE(__stwt)
#undef LADDER_STORE
#undef LADDER_TO
#undef LADDER_FROM
#undef LADDER_PASTE
#undef LADDER_PASTE_
#undef LADDER_DOUBLED
#undef LADDER_N
#undef LADDER_N2
#undef LADDER_H
#undef LADDER_H2
