// SPDX-License-Identifier: MIT OR Apache-2.0
// Exponentials, logarithms, powers, hyperbolic functions and cube roots, for both widths by the same algorithms.
//
// An argument is taken apart into a power of two, which is exact, and a small rest, for which a polynomial is near enough.
// Where the rest must be known to more digits than a number has, it is a sum of two numbers, `high` and `low`.
#pragma once
#pragma clang system_header

// A polynomial in z, the constant first. Its coefficients were fitted to the function over the range that is left.
LADDER_T T ladder_polynomial(T, T c) { return c; }
template <class T, class... More> LADDER_FUNCTION T ladder_polynomial(T z, T c, More... more)
{
    return ladder_fma(ladder_polynomial(z, (T)more...), z, c);
}
#define LADDER_POLYNOMIAL(name, of_float, of_double)                                                             \
    LADDER_FUNCTION float name(float z) { return ladder_polynomial(z, LADDER_LIST of_float); }                   \
    LADDER_FUNCTION double name(double z) { return ladder_polynomial(z, LADDER_LIST of_double); }
#define LADDER_LIST(...) __VA_ARGS__

// (e^z - 1 - z) / z^2 for |z| of at most half of ln 2.
LADDER_POLYNOMIAL(ladder_p_expm1, (0.5f, 0.166665767f, 0.0416665542f, 8.36323288e-3f, 1.39262508e-3f),
    (0.500000000000000103, 0.166666666666666675, 0.0416666666666238205, 8.3333333333300382e-3, 1.38888889173670806e-3,
     1.9841269863171556e-4, 2.48015210578682052e-5, 2.75572682769056962e-6, 2.76202015910315488e-7,
     2.5100472505694996e-8))
// By z = s^2: what atanh has beyond s + s^3 / 3, twice, over s^5.
LADDER_POLYNOMIAL(ladder_p_atanh, (0.400000151f, 0.285622299f, 0.230485211f),
    (0.400000000000000271, 0.285714285713383229, 0.22222222271185314, 0.181818082340031444, 0.153855757828200425,
     0.13285924657242198, 0.129140227169483592))
// (tanh x - x) / x^3 by z = x^2, |x| <= 0.6
LADDER_POLYNOMIAL(ladder_p_tanh, (-0.333333303f, 0.133329154f, -0.0538739488f, 0.021110959f, -6.26911972e-3f),
    (-0.333333333333333287, 0.133333333333301962, -0.0539682539647576248, 0.0218694883837809292,
     -8.86323211354147319e-3, 3.5920831663434575e-3, -1.45546480280074492e-3, 5.880541548418729e-4,
     -2.32251040679385094e-4, 8.15473780652536514e-5, -1.83359621100394199e-5))
// (sinh x - x) / x^3 by z = x^2, |x| <= 1
LADDER_POLYNOMIAL(ladder_p_sinh, (0.166666666f, 8.33333968e-3f, 1.9838102e-4f, 2.80628026e-6f),
    (0.166666666666666667, 8.33333333333333337e-3, 1.98412698412697732e-4, 2.75573192240403386e-6,
     2.50521083640580408e-8, 1.60590483963505616e-10, 7.64662536165665766e-13, 2.84452641698952856e-15))

// Constants to twice the digits of each width.
template <class T> struct ladder_ln2;
template <> struct ladder_ln2<float> { static constexpr float high = 0x1.62e430p-1f, low = -0x1.05c610p-29f; };
template <> struct ladder_ln2<double> { static constexpr double high = 0x1.62e42fefa39efp-1, low = 0x1.abc9e3b39803fp-56; };
template <class T> struct ladder_log2e;
template <> struct ladder_log2e<float> { static constexpr float high = 1.44269502f, low = 1.92596299e-8f; };
template <> struct ladder_log2e<double> { static constexpr double high = 1.4426950408889634, low = 2.0355273740931033e-17; };
template <class T> struct ladder_log10_2; // of 2, to the base 10
template <> struct ladder_log10_2<float> { static constexpr float high = 0x1.344136p-2f, low = -0x1.ec10c0p-27f; };
template <> struct ladder_log10_2<double> { static constexpr double high = 0x1.34413509f79ffp-2, low = -0x1.9dc1da994fd21p-59; };
template <class T> struct ladder_thirds; // 2/3
template <> struct ladder_thirds<float> { static constexpr float high = 0x1.555556p-1f, low = -0x1.555556p-26f; };
template <> struct ladder_thirds<double> { static constexpr double high = 0x1.5555555555555p-1, low = 0x1.5555555555555p-55; };

// 2^r for |r| of at most a half.
LADDER_FUNCTION float ladder_exp2_of_rest(float r) { return ladder_ex2(r); }
LADDER_FUNCTION double ladder_exp2_of_rest(double r)
{
    const double z = r * ladder_ln2<double>::high;
    return ladder_fma(z * z, ladder_p_expm1(z), z) + 1;
}

// x = n ln 2 + rest + low; n is of a size that ladder_ldexp takes.
LADDER_T T ladder_rest_of_exp(T x, int& n, T& low)
{
    const T limit = 3 * ladder_of<T>::largest;
    const T whole = ladder_rint(ladder_fmin(ladder_fmax(x * ladder_log2e<T>::high, -limit), limit));
    n = (int)whole;
    const T rest = ladder_fma(whole, -ladder_ln2<T>::high, x);
    const T high = ladder_fma(whole, -ladder_ln2<T>::low, rest);
    low = ladder_fma(whole, -ladder_ln2<T>::low, rest - high);
    return high;
}
LADDER_T bool ladder_is_out_of_exp(T x) { return !(ladder_fabs(x) < (T)(2 * ladder_of<T>::largest)); }
LADDER_T T ladder_out_of_exp(T x) { return x > 0 ? ladder_infinity<T>() : x < 0 ? (T)0 : x; }
LADDER_T T ladder_exp(T x)
{
    if (ladder_is_out_of_exp(x)) return ladder_out_of_exp(x);
    int n;
    T low;
    const T rest = ladder_rest_of_exp(x, n, low);
    return ladder_ldexp(ladder_exp2_of_rest(rest * ladder_log2e<T>::high), n);
}
LADDER_FUNCTION float ladder_exp2(float x) { return ladder_ex2(x); }
LADDER_FUNCTION double ladder_exp2(double x)
{
    if (ladder_is_out_of_exp(x)) return ladder_out_of_exp(x);
    const double whole = ladder_rint(x);
    return ladder_ldexp(ladder_exp2_of_rest(x - whole), (int)whole);
}
LADDER_T T ladder_exp10(T x)
{
    if (ladder_is_out_of_exp(x)) return ladder_out_of_exp(x);
    const T log2_10 = (T)3.3219280948873623;
    const T whole = ladder_rint(x * log2_10);
    const T rest = ladder_fma(whole, -ladder_log10_2<T>::low, ladder_fma(whole, -ladder_log10_2<T>::high, x));
    return ladder_ldexp(ladder_exp2_of_rest(rest * log2_10), (int)whole);
}
LADDER_T T ladder_expm1(T x)
{
    if (ladder_fabs(x) < (T)0.25) return ladder_fma(x * x, ladder_p_expm1(x), x);
    if (!(x < (T)(ladder_of<T>::largest * 0.69))) return ladder_exp(x) - 1;
    if (x < -ladder_of<T>::digits) return -1;
    int n;
    T low;
    const T rest = ladder_rest_of_exp(x, n, low);
    const T scale = ladder_power_of_two<T>(n);
    const T less = scale - 1, high = ladder_fma(scale, rest, less);
    const T tail = ladder_fma(rest * rest, ladder_p_expm1(rest), low);
    return high + ladder_fma(scale, tail, ladder_fma(scale, rest, less - high));
}

LADDER_FUNCTION float ladder_reciprocal(float x)
{
    float y;
    LADDER_PURE("rcp.approx" LADDER_FLUSH ".f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
LADDER_FUNCTION double ladder_reciprocal(double x) { return 1 / x; }

// The binary logarithm of a positive finite number, as high + low. With s = (m - 1) / (m + 1), the natural logarithm of m
// is 2 s + 2/3 s^3 + ...; the first two terms are computed to twice the digits.
LADDER_T T ladder_log2_parts(T x, T& low)
{
    int n;
    T m = ladder_significand(x, n);
    if (m > (T)1.4142135623730951) {
        m *= (T)0.5;
        n += 1;
    }
    const T sum = m + 1, sum_low = m - (sum - 1), difference = m - 1;
    const T reciprocal = ladder_reciprocal(sum);
    const T s = ladder_product(difference, reciprocal);
    const T s_low = ladder_fma(-s, sum_low, ladder_fma(-s, sum, difference)) * reciprocal;
    const T square = ladder_product(s, s), square_low = ladder_fma(s, s, -square) + 2 * s * s_low;
    const T cube = ladder_product(s, square);
    const T cube_low = ladder_fma(s, square, -cube) + ladder_fma(s, square_low, s_low * square);
    const T term = ladder_product(cube, ladder_thirds<T>::high);
    T rest = ladder_fma(cube, ladder_thirds<T>::high, -term);
    rest += ladder_fma(cube, ladder_thirds<T>::low, cube_low * ladder_thirds<T>::high);
    rest = ladder_fma(cube * square, ladder_p_atanh(square), rest) + 2 * s_low;
    const T natural = 2 * s + term;
    const T natural_low = term - (natural - 2 * s) + rest;
    const T binary = ladder_product(natural, ladder_log2e<T>::high);
    const T binary_low = ladder_fma(natural, ladder_log2e<T>::high, -binary)
                         + ladder_fma(natural, ladder_log2e<T>::low, natural_low * ladder_log2e<T>::high);
    const T high = (T)n + binary;
    low = binary - (high - (T)n) + binary_low;
    return high;
}

// The logarithm to a base whose logarithm of 2 is high + low; what has none: 0, negative, infinite, no number.
LADDER_T T ladder_log_by(T x, T by_high, T by_low)
{
    if (!(x > 0 && x < ladder_infinity<T>())) {
        return x == 0 ? -ladder_infinity<T>() : x > 0 ? x : ladder_nan<T>();
    }
    T low;
    const T high = ladder_log2_parts(x, low);
    return ladder_fma(high, by_high, ladder_fma(high, by_low, low * by_high));
}
LADDER_T T ladder_log(T x) { return ladder_log_by(x, ladder_ln2<T>::high, ladder_ln2<T>::low); }
LADDER_T T ladder_log2(T x) { return ladder_log_by(x, (T)1, (T)0); }
LADDER_T T ladder_log10(T x) { return ladder_log_by(x, ladder_log10_2<T>::high, ladder_log10_2<T>::low); }
LADDER_T T ladder_log1p(T x)
{
    const T sum = 1 + x;
    if (sum == 1) return x;
    const T low = x < 1 ? x - (sum - 1) : 1 - (sum - x);
    const T log = ladder_log(sum);
    return isfinite(log) ? log + low / sum : log;
}

// |x|^y for finite numbers, x not 0.
LADDER_T T ladder_power(T x, T y)
{
    T low;
    const T high = ladder_log2_parts(x, low);
    const T limit = 3 * ladder_of<T>::largest;
    const T product = ladder_product(high, y);
    if (!(ladder_fabs(product) < limit)) return product > 0 ? ladder_infinity<T>() : (T)0;
    const T product_low = ladder_fma(low, y, ladder_fma(high, y, -product));
    const T whole = ladder_rint(product);
    return ladder_ldexp(ladder_exp2_of_rest(product - whole + product_low), (int)whole);
}
LADDER_T T ladder_pow(T x, T y)
{
    if (x == 1 || y == 0) return 1;
    if (isnan(x) || isnan(y)) return ladder_nan<T>();
    const T size = ladder_fabs(x);
    if (isinf(y)) return size == 1 ? (T)1 : (size > 1) == (y > 0) ? ladder_infinity<T>() : (T)0;
    const bool is_whole = ladder_trunc(y) == y;
    const bool is_odd = is_whole && ladder_trunc(y * (T)0.5) != y * (T)0.5;
    T power;
    if (size == 0 || isinf(size)) power = (size == 0) == (y < 0) ? ladder_infinity<T>() : (T)0;
    else if (x < 0 && !is_whole) return ladder_nan<T>();
    else power = ladder_power(size, y);
    return is_odd && signbit(x) ? -power : power;
}

LADDER_T T ladder_half_exp(T x) // e^x / 2, where e^x may be too large
{
    int n;
    T low;
    const T rest = ladder_rest_of_exp(ladder_fmin(x, (T)(2 * ladder_of<T>::largest)), n, low);
    return ladder_ldexp(ladder_exp2_of_rest(rest * ladder_log2e<T>::high), n - 1);
}
LADDER_T T ladder_sinh(T x)
{
    const T size = ladder_fabs(x);
    if (size <= 1) return ladder_fma(x * x * x, ladder_p_sinh(x * x), x);
    if (isnan(x)) return x;
    const T half = ladder_half_exp(size);
    return ladder_copysign(half - (T)0.25 / half, x);
}
LADDER_T T ladder_cosh(T x)
{
    if (isnan(x)) return x;
    const T half = ladder_half_exp(ladder_fabs(x));
    return half + (T)0.25 / half;
}
LADDER_T T ladder_tanh(T x)
{
    const T size = ladder_fabs(x);
    if (size <= (T)0.6) return ladder_fma(x * x * x, ladder_p_tanh(x * x), x);
    return isnan(x) ? x : ladder_copysign(1 - 2 / (ladder_exp(2 * size) + 1), x);
}
LADDER_T T ladder_asinh(T x)
{
    const T a = ladder_fabs(x);
    if (!(a < ladder_power_of_two<T>(ladder_of<T>::digits / 2 + 2))) {
        return isfinite(x) ? ladder_copysign(ladder_log(a) + ladder_ln2<T>::high, x) : x;
    }
    return ladder_copysign(ladder_log1p(a + a * a / (1 + ladder_sqrt(ladder_fma(a, a, (T)1)))), x);
}
LADDER_T T ladder_acosh(T x)
{
    if (x < 1) return ladder_nan<T>();
    if (!(x < ladder_power_of_two<T>(ladder_of<T>::digits / 2 + 2))) return ladder_log(x) + ladder_ln2<T>::high;
    const T t = x - 1;
    return ladder_log1p(t + ladder_sqrt(ladder_fma(t, t, 2 * t)));
}
LADDER_T T ladder_atanh(T x)
{
    const T a = ladder_fabs(x);
    return ladder_copysign((T)0.5 * ladder_log1p(2 * a / (1 - a)), x);
}

// A number and its cube root: the special function unit's is made exact by Newton's steps, whose errors are taken to more
// digits. x is scaled by a power of eight.
LADDER_T T ladder_scaled_root(T x, T& scaled, int& n, float exponent)
{
    int all;
    const T m = ladder_significand(ladder_fabs(x), all);
    n = (all + 3 * 1024) / 3 - 1024;
    scaled = ladder_ldexp(m, all - 3 * n);
    return (T)ladder_ex2(__log2f((float)scaled) * exponent);
}
LADDER_T bool ladder_has_no_root(T x) { return x == 0 || !isfinite(x); }
LADDER_T T ladder_cbrt(T x)
{
    if (ladder_has_no_root(x)) return x;
    T m;
    int n;
    T root = ladder_scaled_root(x, m, n, 0.333333343f);
    for (int i = 0; i < (sizeof(T) == 4 ? 1 : 2); i++) {
        const T square = ladder_product(root, root), square_low = ladder_fma(root, root, -square);
        const T error = ladder_fma(-square, root, m) - square_low * root;
        root = ladder_fma(error, 1 / (3 * square), root);
    }
    return ladder_copysign(ladder_ldexp(root, n), x);
}
LADDER_T T ladder_rcbrt(T x)
{
    if (ladder_has_no_root(x)) return 1 / x;
    T m;
    int n;
    T root = ladder_scaled_root(x, m, n, -0.333333343f);
    for (int i = 0; i < (sizeof(T) == 4 ? 1 : 2); i++) {
        const T square = ladder_product(root, root), square_low = ladder_fma(root, root, -square);
        const T cube = ladder_product(square, root), cube_low = ladder_fma(square, root, -cube) + square_low * root;
        const T error = ladder_fma(-m, cube, (T)1) - m * cube_low;
        root = ladder_fma(error * root, (T)0.33333333333333333, root);
    }
    return ladder_copysign(ladder_ldexp(root, -n), x);
}

// With --use_fast_math these of float are the special function unit's.
#ifdef LADDER_FAST_MATH
#define LADDER_FAST(name)                                                                                        \
    LADDER_FUNCTION float name##f(float x) { return __##name##f(x); }                                            \
    LADDER_FUNCTION float name(float x) { return __##name##f(x); }                                               \
    LADDER_FUNCTION double name(double x) { return ladder_##name(x); }                                           \
    template <class T> LADDER_FUNCTION typename ladder_integer<T>::as name(T x) { return ladder_##name((double)x); }
LADDER_FUNCTION float powf(float x, float y) { return __powf(x, y); }
LADDER_FUNCTION float pow(float x, float y) { return __powf(x, y); }
#else
#define LADDER_FAST LADDER_ONE
LADDER_FUNCTION float powf(float x, float y) { return ladder_pow(x, y); }
LADDER_FUNCTION float pow(float x, float y) { return ladder_pow(x, y); }
#endif
LADDER_FUNCTION double pow(double x, double y) { return ladder_pow(x, y); }
LADDER_FUNCTION double pow(float x, double y) { return ladder_pow((double)x, y); }
LADDER_FUNCTION double pow(double x, float y) { return ladder_pow(x, (double)y); }
LADDER_FUNCTION float pow(float x, int y) { return powf(x, (float)y); }
LADDER_FUNCTION double pow(double x, int y) { return ladder_pow(x, (double)y); }
LADDER_FAST(exp)
LADDER_FAST(exp10)
LADDER_FAST(log)
LADDER_FAST(log2)
LADDER_FAST(log10)
LADDER_ONE(exp2)
LADDER_ONE(expm1)
LADDER_ONE(log1p)
LADDER_ONE(sinh)
LADDER_ONE(cosh)
LADDER_ONE(tanh)
LADDER_ONE(asinh)
LADDER_ONE(acosh)
LADDER_ONE(atanh)
LADDER_ONE(cbrt)
LADDER_ONE(rcbrt)
