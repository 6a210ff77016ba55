// SPDX-License-Identifier: MIT OR Apache-2.0
// Integers: bits, products of twice the width, bytes; numbers reinterpreted as others.
#pragma once
#pragma clang system_header

LADDER_FUNCTION int __popc(unsigned x) { return __builtin_popcount(x); }
LADDER_FUNCTION int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
LADDER_FUNCTION int __clz(int x)
{
    int zeros;
    LADDER_PURE("clz.b32 %0, %1;" : "=r"(zeros) : "r"(x));
    return zeros;
}
LADDER_FUNCTION int __clzll(long long x)
{
    int zeros;
    LADDER_PURE("clz.b64 %0, %1;" : "=r"(zeros) : "l"(x));
    return zeros;
}
LADDER_FUNCTION int __ffs(int x) { return 32 - __clz(x & -(unsigned)x); }
LADDER_FUNCTION int __ffsll(long long x) { return 64 - __clzll(x & -(unsigned long long)x); }
// The place of the n-th bit of a mask, from `base` on up where n is above 0, down where it is below; -1 where there is none.
LADDER_FUNCTION unsigned __fns(unsigned mask, unsigned base, int n)
{
    unsigned place;
    LADDER_PURE("fns.b32 %0, %1, %2, %3;" : "=r"(place) : "r"(mask), "r"(base), "r"(n));
    return place;
}
LADDER_FUNCTION unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
LADDER_FUNCTION unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
LADDER_FUNCTION unsigned __byte_perm(unsigned x, unsigned y, unsigned s)
{
    unsigned bytes;
    LADDER_PURE("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(x), "r"(y), "r"(s));
    return bytes;
}
LADDER_FUNCTION int __mulhi(int x, int y) { return (long long)x * y >> 32; }
LADDER_FUNCTION unsigned __umulhi(unsigned x, unsigned y) { return (unsigned long long)x * y >> 32; }
LADDER_FUNCTION long long __mul64hi(long long x, long long y)
{
    long long high;
    LADDER_PURE("mul.hi.s64 %0, %1, %2;" : "=l"(high) : "l"(x), "l"(y));
    return high;
}
LADDER_FUNCTION unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    unsigned long long high;
    LADDER_PURE("mul.hi.u64 %0, %1, %2;" : "=l"(high) : "l"(x), "l"(y));
    return high;
}
LADDER_FUNCTION int __mul24(int x, int y) { return (x << 8 >> 8) * (y << 8 >> 8); }
LADDER_FUNCTION unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffff) * (y & 0xffffff); }
LADDER_FUNCTION int __hadd(int x, int y) { return ((long long)x + y) >> 1; }
LADDER_FUNCTION int __rhadd(int x, int y) { return ((long long)x + y + 1) >> 1; }
LADDER_FUNCTION unsigned __uhadd(unsigned x, unsigned y) { return ((unsigned long long)x + y) >> 1; }
LADDER_FUNCTION unsigned __urhadd(unsigned x, unsigned y) { return ((unsigned long long)x + y + 1) >> 1; }
LADDER_FUNCTION unsigned __sad(int x, int y, unsigned z)
{
    unsigned sum;
    LADDER_PURE("sad.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(x), "r"(y), "r"(z));
    return sum;
}
LADDER_FUNCTION unsigned __usad(unsigned x, unsigned y, unsigned z)
{
    unsigned sum;
    LADDER_PURE("sad.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(x), "r"(y), "r"(z));
    return sum;
}

// The upper, or lower, half of high:low shifted by so many bits: modulo 32, or at most 32 (…c).
#define LADDER_FUNNEL(name, instruction)                                                                         \
    LADDER_FUNCTION unsigned name(unsigned low, unsigned high, unsigned shift)                                   \
    {                                                                                                            \
        unsigned half;                                                                                           \
        LADDER_PURE("shf." instruction ".b32 %0, %1, %2, %3;" : "=r"(half) : "r"(low), "r"(high), "r"(shift));   \
        return half;                                                                                             \
    }
LADDER_FUNNEL(__funnelshift_l, "l.wrap")
LADDER_FUNNEL(__funnelshift_lc, "l.clamp")
LADDER_FUNNEL(__funnelshift_r, "r.wrap")
LADDER_FUNNEL(__funnelshift_rc, "r.clamp")
#undef LADDER_FUNNEL

#if __CUDA_ARCH__ >= 610
LADDER_FUNCTION int __dp4a(int x, int y, int z)
{
    int sum;
    LADDER_PURE("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(x), "r"(y), "r"(z));
    return sum;
}
LADDER_FUNCTION unsigned __dp4a(unsigned x, unsigned y, unsigned z)
{
    unsigned sum;
    LADDER_PURE("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(x), "r"(y), "r"(z));
    return sum;
}
#endif

LADDER_FUNCTION int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
LADDER_FUNCTION unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
LADDER_FUNCTION float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
LADDER_FUNCTION float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
LADDER_FUNCTION long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
LADDER_FUNCTION double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
LADDER_FUNCTION int __double2hiint(double x) { return __double_as_longlong(x) >> 32; }
LADDER_FUNCTION int __double2loint(double x) { return (int)__double_as_longlong(x); }
LADDER_FUNCTION double __hiloint2double(int high, int low)
{
    return __longlong_as_double((long long)high << 32 | (unsigned)low);
}
