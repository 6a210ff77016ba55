// SPDX-License-Identifier: MIT OR Apache-2.0
// Two numbers of 16 bits, or four of 8, in one word: what CUDA calls SIMD intrinsics; dot products of them; and the smallest
// or largest of sums, which CUDA calls DPX.
#pragma once
#pragma clang system_header

// x and y are a lane's numbers, with or without a sign; `value` is what becomes of them.
#define LADDER_LANES(name, n, bits, type, value)                                                                 \
    LADDER_FUNCTION unsigned name##n(unsigned a, unsigned b)                                                     \
    {                                                                                                            \
        unsigned all = 0;                                                                                        \
        for (int at = 0; at < 32; at += bits) {                                                                  \
            const int x = (type)(a >> at), y = (type)(b >> at);                                                  \
            constexpr unsigned mask = (1u << bits) - 1;                                                          \
            constexpr int least = -(1 << (bits - 1)), most = (1 << (bits - 1)) - 1;                              \
            (void)y, (void)least, (void)most;                                                                    \
            all |= ((unsigned)(value) & mask) << at;                                                             \
        }                                                                                                        \
        return all;                                                                                              \
    }
#define LADDER_SIGNED(name, value)                                                                               \
    LADDER_LANES(name, 2, 16, short, value)                                                                      \
    LADDER_LANES(name, 4, 8, signed char, value)
#define LADDER_UNSIGNED(name, value)                                                                             \
    LADDER_LANES(name, 2, 16, unsigned short, value)                                                             \
    LADDER_LANES(name, 4, 8, unsigned char, value)
LADDER_SIGNED(__vadd, x + y)
LADDER_SIGNED(__vaddss, min(max(x + y, least), most))
LADDER_UNSIGNED(__vaddus, min(x + y, (int)mask))
LADDER_SIGNED(__vsub, x - y)
LADDER_SIGNED(__vsubss, min(max(x - y, least), most))
LADDER_UNSIGNED(__vsubus, max(x - y, 0))
LADDER_SIGNED(__vavgs, (x + y + (x + y >= 0)) >> 1) // halves away from zero
LADDER_UNSIGNED(__vavgu, (x + y + 1) >> 1)
LADDER_UNSIGNED(__vhaddu, (x + y) >> 1)
LADDER_SIGNED(__vabsdiffs, abs(x - y))
LADDER_UNSIGNED(__vabsdiffu, abs(x - y))
LADDER_SIGNED(__vmins, min(x, y))
LADDER_UNSIGNED(__vminu, min(x, y))
LADDER_SIGNED(__vmaxs, max(x, y))
LADDER_UNSIGNED(__vmaxu, max(x, y))
// Comparisons: a mask of each lane, or 1.
#define LADDER_COMPARED(kind, name, op)                                                                          \
    kind(__vcmp##name, x op y ? ~0u : 0u)                                                                        \
    kind(__vset##name, x op y)
LADDER_COMPARED(LADDER_SIGNED, eq, ==)
LADDER_COMPARED(LADDER_SIGNED, ne, !=)
LADDER_COMPARED(LADDER_SIGNED, ges, >=)
LADDER_COMPARED(LADDER_SIGNED, gts, >)
LADDER_COMPARED(LADDER_SIGNED, les, <=)
LADDER_COMPARED(LADDER_SIGNED, lts, <)
LADDER_COMPARED(LADDER_UNSIGNED, geu, >=)
LADDER_COMPARED(LADDER_UNSIGNED, gtu, >)
LADDER_COMPARED(LADDER_UNSIGNED, leu, <=)
LADDER_COMPARED(LADDER_UNSIGNED, ltu, <)
#undef LADDER_COMPARED
// Of one word: what the difference from 0 is, or the largest of it and its opposite.
#define LADDER_OF_ONE(name, of_two)                                                                              \
    LADDER_FUNCTION unsigned name##2(unsigned a) { return of_two##2(0, a); }                                     \
    LADDER_FUNCTION unsigned name##4(unsigned a) { return of_two##4(0, a); }
LADDER_OF_ONE(__vneg, __vsub)
LADDER_OF_ONE(__vnegss, __vsubss)
LADDER_OF_ONE(__vabs, __vabsdiffs)
#undef LADDER_OF_ONE
LADDER_FUNCTION unsigned __vabsss2(unsigned a) { return __vmaxs2(a, __vnegss2(a)); }
LADDER_FUNCTION unsigned __vabsss4(unsigned a) { return __vmaxs4(a, __vnegss4(a)); }
// The sum of the differences' sizes.
#define LADDER_SUM(name, differences, n, bits)                                                                   \
    LADDER_FUNCTION unsigned name##n(unsigned a, unsigned b)                                                     \
    {                                                                                                            \
        const unsigned all = differences##n(a, b);                                                               \
        unsigned sum = 0;                                                                                        \
        for (int at = 0; at < 32; at += bits) sum += all >> at & ((1u << bits) - 1);                             \
        return sum;                                                                                              \
    }
LADDER_SUM(__vsads, __vabsdiffs, 2, 16)
LADDER_SUM(__vsads, __vabsdiffs, 4, 8)
LADDER_SUM(__vsadu, __vabsdiffu, 2, 16)
LADDER_SUM(__vsadu, __vabsdiffu, 4, 8)
#undef LADDER_SUM

#if __CUDA_ARCH__ >= 610
#define LADDER_DOT(name, half, type, sign)                                                                       \
    LADDER_FUNCTION type name(type x, type y, type z)                                                            \
    {                                                                                                            \
        type sum;                                                                                                \
        LADDER_PURE("dp2a." half "." sign "." sign " %0, %1, %2, %3;" : "=r"(sum) : "r"(x), "r"(y), "r"(z));     \
        return sum;                                                                                              \
    }
LADDER_DOT(__dp2a_lo, "lo", int, "s32")
LADDER_DOT(__dp2a_lo, "lo", unsigned, "u32")
LADDER_DOT(__dp2a_hi, "hi", int, "s32")
LADDER_DOT(__dp2a_hi, "hi", unsigned, "u32")
#undef LADDER_DOT
#endif

// The same of words and of pairs; `_relu` is at least 0.
#define LADDER_WORDS(kind, type, s, lanes)                                                                       \
    LADDER_FUNCTION type __vi##kind##3_##s##32(type a, type b, type c) { return kind(kind(a, b), c); }           \
    LADDER_FUNCTION type __viadd##kind##_##s##32(type a, type b, type c) { return kind((type)((unsigned)a + b), c); } \
    LADDER_FUNCTION unsigned __vi##kind##3_##s##16x2(unsigned a, unsigned b, unsigned c) { return lanes(lanes(a, b), c); } \
    LADDER_FUNCTION unsigned __viadd##kind##_##s##16x2(unsigned a, unsigned b, unsigned c) { return lanes(__vadd2(a, b), c); } \
    LADDER_FUNCTION type __vib##kind##_##s##32(type a, type b, bool* is_first)                                   \
    {                                                                                                            \
        *is_first = kind(a, b) == a;                                                                             \
        return kind(a, b);                                                                                       \
    }
#define LADDER_RELU(kind)                                                                                        \
    LADDER_FUNCTION int __vi##kind##_s32_relu(int a, int b) { return max(kind(a, b), 0); }                       \
    LADDER_FUNCTION int __vi##kind##3_s32_relu(int a, int b, int c) { return max(kind(kind(a, b), c), 0); }      \
    LADDER_FUNCTION int __viadd##kind##_s32_relu(int a, int b, int c) { return max(kind((int)((unsigned)a + b), c), 0); } \
    LADDER_FUNCTION unsigned __vi##kind##_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__v##kind##s2(a, b), 0); } \
    LADDER_FUNCTION unsigned __vi##kind##3_s16x2_relu(unsigned a, unsigned b, unsigned c)                        \
    {                                                                                                            \
        return __vmaxs2(__vi##kind##3_s16x2(a, b, c), 0);                                                        \
    }                                                                                                            \
    LADDER_FUNCTION unsigned __viadd##kind##_s16x2_relu(unsigned a, unsigned b, unsigned c)                      \
    {                                                                                                            \
        return __vmaxs2(__viadd##kind##_s16x2(a, b, c), 0);                                                      \
    }
LADDER_WORDS(min, int, s, __vmins2)
LADDER_WORDS(max, int, s, __vmaxs2)
LADDER_WORDS(min, unsigned, u, __vminu2)
LADDER_WORDS(max, unsigned, u, __vmaxu2)
LADDER_RELU(min)
LADDER_RELU(max)
#undef LADDER_RELU
#undef LADDER_WORDS
#undef LADDER_SIGNED
#undef LADDER_UNSIGNED
#undef LADDER_LANES
