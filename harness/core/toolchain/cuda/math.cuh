// SPDX-License-Identifier: MIT OR Apache-2.0
// Mathematical functions of one instruction or a few: roots, rounding, extremes, parts of numbers. Each has a form for float
// and one for double, which share a name; an integer argument is taken as a double.
#pragma once
#pragma clang system_header

template <class T> struct ladder_integer {};
#define LADDER_INTEGER(type) template <> struct ladder_integer<type> { typedef double as; };
LADDER_INTEGER(bool)
LADDER_INTEGER(char)
LADDER_INTEGER(signed char)
LADDER_INTEGER(unsigned char)
LADDER_INTEGER(short)
LADDER_INTEGER(unsigned short)
LADDER_INTEGER(int)
LADDER_INTEGER(unsigned)
LADDER_INTEGER(long)
LADDER_INTEGER(unsigned long)
LADDER_INTEGER(long long)
LADDER_INTEGER(unsigned long long)
#undef LADDER_INTEGER

// The public forms of ladder_NAME, of one argument or of two.
#define LADDER_ONE(name)                                                                                         \
    LADDER_FUNCTION float name##f(float x) { return ladder_##name(x); }                                          \
    LADDER_FUNCTION float name(float x) { return ladder_##name(x); }                                             \
    LADDER_FUNCTION double name(double x) { return ladder_##name(x); }                                           \
    template <class T> LADDER_FUNCTION typename ladder_integer<T>::as name(T x) { return ladder_##name((double)x); }
#define LADDER_TWO(name)                                                                                         \
    LADDER_FUNCTION float name##f(float x, float y) { return ladder_##name(x, y); }                              \
    LADDER_FUNCTION float name(float x, float y) { return ladder_##name(x, y); }                                 \
    LADDER_FUNCTION double name(double x, double y) { return ladder_##name(x, y); }                              \
    LADDER_FUNCTION double name(float x, double y) { return ladder_##name((double)x, y); }                       \
    LADDER_FUNCTION double name(double x, float y) { return ladder_##name(x, (double)y); }

// Numbers of both widths, as algorithms need them.
#define LADDER_T template <class T> LADDER_FUNCTION
template <class T> struct ladder_of;
template <> struct ladder_of<float> {
    typedef unsigned bits;
    static constexpr int digits = 24, bias = 127, largest = 127, width = 32;
};
template <> struct ladder_of<double> {
    typedef unsigned long long bits;
    static constexpr int digits = 53, bias = 1023, largest = 1023, width = 64;
};
#define LADDER_BITS(T) typename ladder_of<T>::bits
LADDER_T LADDER_BITS(T) ladder_bits(T x) { return __builtin_bit_cast(LADDER_BITS(T), x); }
LADDER_T T ladder_infinity() { return __builtin_inff(); }
LADDER_T T ladder_nan() { return __builtin_nanf(""); }
LADDER_T int ladder_exponent(T x) // of a normal number
{
    return (int)(ladder_bits(x) >> (ladder_of<T>::digits - 1) & (2 * ladder_of<T>::bias + 1)) - ladder_of<T>::bias;
}
LADDER_T T ladder_power_of_two(int n) // a normal number
{
    return __builtin_bit_cast(T, (LADDER_BITS(T))(n + ladder_of<T>::bias) << (ladder_of<T>::digits - 1));
}
LADDER_FUNCTION float ladder_product(float x, float y) { return __fmul_rn(x, y); } // never fused
LADDER_FUNCTION double ladder_product(double x, double y) { return __dmul_rn(x, y); }
LADDER_T T ladder_fma(T x, T y, T z) { return __builtin_elementwise_fma(x, y, z); }
LADDER_T T ladder_fabs(T x) { return __builtin_elementwise_abs(x); }
LADDER_T T ladder_sqrt(T x) { return __builtin_elementwise_sqrt(x); }
LADDER_T T ladder_rint(T x) { return __builtin_elementwise_roundeven(x); }
LADDER_T T ladder_floor(T x) { return __builtin_elementwise_floor(x); }
LADDER_T T ladder_ceil(T x) { return __builtin_elementwise_ceil(x); }
LADDER_T T ladder_trunc(T x) { return __builtin_elementwise_trunc(x); }
LADDER_T T ladder_copysign(T x, T sign) { return __builtin_elementwise_copysign(x, sign); }
LADDER_T T ladder_round(T x) // halves away from zero
{
    const T whole = ladder_trunc(x);
    return ladder_copysign(ladder_fabs(x - whole) >= (T)0.5 ? whole + ladder_copysign((T)1, x) : whole, x);
}
LADDER_FUNCTION float ladder_fmin(float x, float y) { return __builtin_fminf(x, y); }
LADDER_FUNCTION double ladder_fmin(double x, double y) { return __builtin_fmin(x, y); }
LADDER_FUNCTION float ladder_fmax(float x, float y) { return __builtin_fmaxf(x, y); }
LADDER_FUNCTION double ladder_fmax(double x, double y) { return __builtin_fmax(x, y); }
LADDER_T T ladder_fdim(T x, T y) { return x <= y ? (T)0 : x - y; }
LADDER_FUNCTION double ladder_rsqrt(double x) { return 1 / ladder_sqrt(x); }

LADDER_ONE(fabs)
LADDER_ONE(sqrt)
LADDER_ONE(rsqrt)
LADDER_ONE(rint)
LADDER_ONE(floor)
LADDER_ONE(ceil)
LADDER_ONE(trunc)
LADDER_ONE(round)
LADDER_TWO(copysign)
LADDER_TWO(fmin)
LADDER_TWO(fmax)
LADDER_TWO(fdim)
LADDER_FUNCTION float fmaf(float x, float y, float z) { return ladder_fma(x, y, z); }
LADDER_FUNCTION float fma(float x, float y, float z) { return ladder_fma(x, y, z); }
LADDER_FUNCTION double fma(double x, double y, double z) { return ladder_fma(x, y, z); }
LADDER_FUNCTION float nearbyintf(float x) { return ladder_rint(x); }
LADDER_FUNCTION float nearbyint(float x) { return ladder_rint(x); }
LADDER_FUNCTION double nearbyint(double x) { return ladder_rint(x); }
LADDER_FUNCTION float fdividef(float x, float y) { return x / y; }

#define LADDER_TO_WHOLE(name, type, of)                                                                          \
    LADDER_FUNCTION type name##f(float x) { return (type)of(x); }                                                \
    LADDER_FUNCTION type name(float x) { return (type)of(x); }                                                   \
    LADDER_FUNCTION type name(double x) { return (type)of(x); }
LADDER_TO_WHOLE(lrint, long, ladder_rint)
LADDER_TO_WHOLE(llrint, long long, ladder_rint)
LADDER_TO_WHOLE(lround, long, ladder_round)
LADDER_TO_WHOLE(llround, long long, ladder_round)
#undef LADDER_TO_WHOLE

#define LADDER_IS(name, what)                                                                                    \
    LADDER_FUNCTION bool name(float x) { return what; }                                                          \
    LADDER_FUNCTION bool name(double x) { return what; }
LADDER_IS(isnan, x != x)
LADDER_IS(isinf, ladder_fabs(x) == ladder_infinity<decltype(x)>())
LADDER_IS(isfinite, ladder_fabs(x) < ladder_infinity<decltype(x)>())
LADDER_IS(signbit, ladder_bits(x) >> (ladder_of<decltype(x)>::width - 1))
#undef LADDER_IS

LADDER_FUNCTION int abs(int x) { return x < 0 ? -x : x; }
LADDER_FUNCTION long abs(long x) { return x < 0 ? -x : x; }
LADDER_FUNCTION long long abs(long long x) { return x < 0 ? -x : x; }
LADDER_FUNCTION long labs(long x) { return abs(x); }
LADDER_FUNCTION long long llabs(long long x) { return abs(x); }
LADDER_FUNCTION float abs(float x) { return ladder_fabs(x); }
LADDER_FUNCTION double abs(double x) { return ladder_fabs(x); }

#define LADDER_EXTREMES(result, x_type, y_type)                                                                  \
    LADDER_FUNCTION result min(x_type x, y_type y) { return (result)x < (result)y ? (result)x : (result)y; }     \
    LADDER_FUNCTION result max(x_type x, y_type y) { return (result)x > (result)y ? (result)x : (result)y; }
LADDER_EXTREMES(int, int, int)
LADDER_EXTREMES(unsigned, unsigned, unsigned)
LADDER_EXTREMES(unsigned, int, unsigned)
LADDER_EXTREMES(unsigned, unsigned, int)
LADDER_EXTREMES(long, long, long)
LADDER_EXTREMES(unsigned long, unsigned long, unsigned long)
LADDER_EXTREMES(unsigned long, long, unsigned long)
LADDER_EXTREMES(unsigned long, unsigned long, long)
LADDER_EXTREMES(long long, long long, long long)
LADDER_EXTREMES(unsigned long long, unsigned long long, unsigned long long)
LADDER_EXTREMES(unsigned long long, long long, unsigned long long)
LADDER_EXTREMES(unsigned long long, unsigned long long, long long)
#undef LADDER_EXTREMES
#define LADDER_EXTREMES(result, x_type, y_type)                                                                  \
    LADDER_FUNCTION result min(x_type x, y_type y) { return ladder_fmin((result)x, (result)y); }                 \
    LADDER_FUNCTION result max(x_type x, y_type y) { return ladder_fmax((result)x, (result)y); }
LADDER_EXTREMES(float, float, float)
LADDER_EXTREMES(double, double, double)
LADDER_EXTREMES(double, float, double)
LADDER_EXTREMES(double, double, float)
#undef LADDER_EXTREMES

LADDER_FUNCTION unsigned umin(unsigned x, unsigned y) { return min(x, y); }
LADDER_FUNCTION unsigned umax(unsigned x, unsigned y) { return max(x, y); }
LADDER_FUNCTION long long llmin(long long x, long long y) { return min(x, y); }
LADDER_FUNCTION long long llmax(long long x, long long y) { return max(x, y); }
LADDER_FUNCTION unsigned long long ullmin(unsigned long long x, unsigned long long y) { return min(x, y); }
LADDER_FUNCTION unsigned long long ullmax(unsigned long long x, unsigned long long y) { return max(x, y); }

// x times 2 to the n: all factors but the last are exact, or the result is 0 or infinite anyway.
LADDER_T T ladder_ldexp(T x, int n)
{
    constexpr int largest = ladder_of<T>::largest;
    const int last = min(max(n, 1 - largest), largest);
    const int before = min(max(n - last, 1 - largest), largest);
    const int first = min(max(n - last - before, 1 - largest), largest);
    return ladder_product(ladder_product(ladder_product(x, ladder_power_of_two<T>(first)), ladder_power_of_two<T>(before)),
                          ladder_power_of_two<T>(last));
}

// The x of [1, 2) and the n of a positive finite number x 2^n.
LADDER_T T ladder_significand(T x, int& n)
{
    const bool is_subnormal = x < ladder_power_of_two<T>(1 - ladder_of<T>::bias);
    const T normal = is_subnormal ? x * ladder_power_of_two<T>(ladder_of<T>::digits) : x;
    const int exponent = ladder_exponent(normal);
    n = exponent - (is_subnormal ? ladder_of<T>::digits : 0);
    return __builtin_bit_cast(T, ladder_bits(normal) - ((LADDER_BITS(T))exponent << (ladder_of<T>::digits - 1)));
}

LADDER_T T ladder_frexp(T x, int* n)
{
    *n = 0;
    if (x == 0 || !isfinite(x)) return x;
    const T significand = ladder_significand(ladder_fabs(x), *n);
    *n += 1;
    return ladder_copysign(significand * (T)0.5, x);
}

LADDER_T T ladder_logb(T x)
{
    if (x == 0) return -ladder_infinity<T>();
    if (!isfinite(x)) return x * x;
    int n;
    ladder_significand(ladder_fabs(x), n);
    return (T)n;
}

LADDER_T T ladder_modf(T x, T* whole)
{
    *whole = ladder_trunc(x);
    return ladder_copysign(isinf(x) ? (T)0 : x - *whole, x);
}

LADDER_FUNCTION float ladder_towards_zero(double x) { return __double2float_rz(x); }
LADDER_FUNCTION float ladder_towards_zero(int x) { return __int2float_rz(x); }
LADDER_FUNCTION float ladder_towards_zero(unsigned x) { return __uint2float_rz(x); }
LADDER_FUNCTION float ladder_towards_zero(long long x) { return __ll2float_rz(x); }
LADDER_FUNCTION float ladder_towards_zero(unsigned long long x) { return __ull2float_rz(x); }
LADDER_FUNCTION float ladder_towards_zero(short x) { return x; }
LADDER_FUNCTION float ladder_towards_zero(unsigned short x) { return x; }
// To float, with the last digit 1 where digits are left out: what is rounded to fewer digits after that is rounded as if once.
template <class T> LADDER_FUNCTION float ladder_to_odd(T x)
{
    const float towards_zero = ladder_towards_zero(x);
    const bool is_exact = (T)towards_zero == x || x != x;
    return is_exact ? towards_zero : __uint_as_float(__float_as_uint(towards_zero) | 1);
}

// The remainder of a division towards zero, exact: bit by bit of the quotient.
LADDER_T T ladder_fmod(T x, T y)
{
    if (!(ladder_fabs(x) < ladder_infinity<T>()) || y == 0 || isnan(y)) return ladder_nan<T>();
    T rest = ladder_fabs(x);
    const T by = ladder_fabs(y);
    if (rest < by) return x;
    int n_rest, n_by;
    ladder_significand(rest, n_rest);
    ladder_significand(by, n_by);
    for (int n = n_rest - n_by; n >= 0; n--) {
        const T part = ladder_ldexp(by, n);
        if (rest >= part) rest -= part;
    }
    return ladder_copysign(rest, x);
}

LADDER_T T ladder_remainder(T x, T y)
{
    const T by = ladder_fabs(y);
    if (by > ladder_power_of_two<T>(ladder_of<T>::largest - 1)) {
        // Twice the divisor is no number.
        if (isnan(y) || !isfinite(x)) return ladder_nan<T>();
        return isinf(y) || ladder_fabs(x) <= by * (T)0.5 ? x : x - ladder_copysign(by, x);
    }
    const T rest = ladder_fmod(x, by + by);
    T part = ladder_fabs(rest);
    if (part > by - part) part -= by;
    if (part >= by - part) part -= by;
    return signbit(x) ? -part : part;
}
// The number next to x on the way to y.
LADDER_T T ladder_nextafter(T x, T y)
{
    if (isnan(x) || isnan(y) || x == y) return x == y ? y : ladder_nan<T>();
    if (x == 0) return ladder_copysign(__builtin_bit_cast(T, (LADDER_BITS(T))1), y);
    return __builtin_bit_cast(T, ladder_bits(x) + ((x < y) == (x > 0) ? 1 : -1));
}
LADDER_ONE(logb)
LADDER_TWO(fmod)
LADDER_TWO(remainder)
LADDER_TWO(nextafter)
LADDER_FUNCTION float nanf(const char*) { return ladder_nan<float>(); }
LADDER_FUNCTION double nan(const char*) { return ladder_nan<double>(); }

// Functions with an integer or a pointer.
#define LADDER_AND(name, extra, argument)                                                                        \
    LADDER_FUNCTION float name##f(float x, extra(float)) { return ladder_##name(x, argument); }                  \
    LADDER_FUNCTION float name(float x, extra(float)) { return ladder_##name(x, argument); }                     \
    LADDER_FUNCTION double name(double x, extra(double)) { return ladder_##name(x, argument); }
#define LADDER_N(type) int n
#define LADDER_N_POINTER(type) int* n
#define LADDER_POINTER(type) type* whole
LADDER_AND(ldexp, LADDER_N, n)
LADDER_AND(frexp, LADDER_N_POINTER, n)
LADDER_AND(modf, LADDER_POINTER, whole)
#undef LADDER_N
#undef LADDER_N_POINTER
#undef LADDER_POINTER
// The remainder, and the last three binary digits of the quotient with its sign.
LADDER_T T ladder_remquo(T x, T y, int* n)
{
    const T rest = ladder_remainder(x, y), by = ladder_fabs(y);
    const T eighth = ladder_fmod(ladder_fabs(x), by * 8); // x less eight times y as often as it goes
    const T whole = (eighth - (signbit(x) ? -rest : rest)) / by;
    const int quotient = isfinite(whole) ? (int)ladder_rint(whole) & 7 : 0;
    *n = signbit(x) != signbit(y) ? -quotient : quotient;
    return rest;
}
LADDER_FUNCTION float remquof(float x, float y, int* n) { return ladder_remquo(x, y, n); }
LADDER_FUNCTION float remquo(float x, float y, int* n) { return ladder_remquo(x, y, n); }
LADDER_FUNCTION double remquo(double x, double y, int* n) { return ladder_remquo(x, y, n); }
LADDER_FUNCTION float scalbnf(float x, int n) { return ladder_ldexp(x, n); }
LADDER_FUNCTION double scalbn(double x, int n) { return ladder_ldexp(x, n); }
LADDER_FUNCTION float scalblnf(float x, long n) { return ladder_ldexp(x, (int)min(max(n, -9999l), 9999l)); }
LADDER_FUNCTION double scalbln(double x, long n) { return ladder_ldexp(x, (int)min(max(n, -9999l), 9999l)); }
LADDER_FUNCTION int ilogbf(float x) { return (int)ladder_logb(x); }
LADDER_FUNCTION int ilogb(double x) { return (int)ladder_logb(x); }

// Lengths. The largest component is scaled to about 1, so that no square is too large or too small.
LADDER_T T ladder_norm(T x, T y, T z, T w)
{
    x = ladder_fabs(x), y = ladder_fabs(y), z = ladder_fabs(z), w = ladder_fabs(w);
    const T largest = ladder_fmax(ladder_fmax(x, y), ladder_fmax(z, w));
    if (isinf(largest)) return largest;
    if (!(largest > 0)) return x + y + z + w;
    const int n = min(max(ladder_exponent(largest), 2 - ladder_of<T>::bias), ladder_of<T>::bias - 1);
    const T scale = ladder_power_of_two<T>(-n);
    x *= scale, y *= scale, z *= scale, w *= scale;
    return ladder_sqrt(ladder_fma(x, x, ladder_fma(y, y, ladder_fma(z, z, w * w)))) * ladder_power_of_two<T>(n);
}
LADDER_T T ladder_hypot(T x, T y) { return ladder_norm(x, y, (T)0, (T)0); }
LADDER_T T ladder_rhypot(T x, T y) { return 1 / ladder_hypot(x, y); }
LADDER_TWO(hypot)
LADDER_TWO(rhypot)
LADDER_FUNCTION float norm3df(float x, float y, float z) { return ladder_norm(x, y, z, 0.0f); }
LADDER_FUNCTION float norm4df(float x, float y, float z, float w) { return ladder_norm(x, y, z, w); }
LADDER_FUNCTION float rnorm3df(float x, float y, float z) { return 1 / ladder_norm(x, y, z, 0.0f); }
LADDER_FUNCTION float rnorm4df(float x, float y, float z, float w) { return 1 / ladder_norm(x, y, z, w); }
LADDER_FUNCTION double norm3d(double x, double y, double z) { return ladder_norm(x, y, z, 0.0); }
LADDER_FUNCTION double norm4d(double x, double y, double z, double w) { return ladder_norm(x, y, z, w); }
LADDER_FUNCTION double rnorm3d(double x, double y, double z) { return 1 / ladder_norm(x, y, z, 0.0); }
LADDER_FUNCTION double rnorm4d(double x, double y, double z, double w) { return 1 / ladder_norm(x, y, z, w); }

// Of arrays.
LADDER_T T ladder_norm_of(int count, const T* x)
{
    T largest = 0, sum = 0;
    for (int i = 0; i < count; i++) largest = isnan(x[i]) ? x[i] : ladder_fmax(largest, ladder_fabs(x[i]));
    if (!(largest > 0 && largest < ladder_infinity<T>())) return largest;
    const int n = min(max(ladder_exponent(largest), 2 - ladder_of<T>::bias), ladder_of<T>::bias - 1);
    for (int i = 0; i < count; i++) {
        const T scaled = x[i] * ladder_power_of_two<T>(-n);
        sum = ladder_fma(scaled, scaled, sum);
    }
    return ladder_sqrt(sum) * ladder_power_of_two<T>(n);
}
LADDER_FUNCTION float normf(int count, const float* x) { return ladder_norm_of(count, x); }
LADDER_FUNCTION float rnormf(int count, const float* x) { return 1 / ladder_norm_of(count, x); }
LADDER_FUNCTION double norm(int count, const double* x) { return ladder_norm_of(count, x); }
LADDER_FUNCTION double rnorm(int count, const double* x) { return 1 / ladder_norm_of(count, x); }
