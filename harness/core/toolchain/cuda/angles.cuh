// SPDX-License-Identifier: MIT OR Apache-2.0
// Trigonometric functions and their inverses, for both widths by the same algorithms.
#pragma once
#pragma clang system_header

// By z = x^2: (sin x - x) / x^3 and (cos x - 1 + x^2/2) / x^4 for |x| of at most a quarter of pi; (atan x - x) / x^3 up to
// the square root of 2 minus 1; (asin x - x) / x^3 up to a half.
LADDER_POLYNOMIAL(ladder_p_sin, (-0.166666647f, 8.33274804e-3f, -1.95878405e-4f),
    (-0.166666666666666646, 8.3333333333309461e-3, -1.984126983675497e-4, 2.75573161006830291e-6,
     -2.50511314554279474e-8, 1.59181012302741203e-10))
LADDER_POLYNOMIAL(ladder_p_cos, (0.0416666647f, -1.38883028e-3f, 2.45478916e-5f),
    (0.0416666666666666654, -1.38888888888873957e-3, 2.48015872987634332e-5, -2.75573172705603241e-7,
     2.08761460246897466e-9, -1.13826148685563246e-11))
LADDER_POLYNOMIAL(ladder_p_atan, (-0.333333318f, 0.199995403f, -0.142639498f, 0.107436683f, -0.0645171887f),
    (-0.333333333333333302, 0.199999999999955165, -0.142857142846656808, 0.111111110151870187, -0.0909090457530648908,
     0.0769218312537689209, -0.066645105255089366, 0.0585814090486632828, -0.0508540783458948426,
     0.0392304477847930952, -0.0191754047111049337))
LADDER_POLYNOMIAL(ladder_p_asin, (0.166666724f, 0.0749885296f, 0.0450018941f, 0.026550663f, 0.0380939621f),
    (0.166666666666666678, 0.0749999999999842426, 0.0446428571463733809, 0.0303819441370852143, 0.0223721730020055974,
     0.0173523912659092279, 0.0139712353011245391, 0.0114789526902573867, 0.010324318288744112, 5.45087818772054995e-3,
     0.0174193579648848572, -0.0148814093928180666, 0.0287784426125930408))

// Half of pi as three numbers, the first with few enough digits to be multiplied by a count exactly.
template <class T> struct ladder_half_pi;
template <> struct ladder_half_pi<float> {
    static constexpr float first = 1.5707962513f, second = 7.54978941586e-8f, third = 5.39030252996e-15f;
    static constexpr float high = 0x1.921fb6p+0f, low = -0x1.777a5cp-25f, largest = 65536;
};
template <> struct ladder_half_pi<double> {
    static constexpr double first = 1.5707963267341256142, second = 6.0771005063039659766e-11;
    static constexpr double third = 2.0222662487959505e-21;
    static constexpr double high = 0x1.921fb54442d18p+0, low = 0x1.1a62633145c07p-54, largest = 524288;
};

// The digits of 2/pi.
static __attribute__((device)) const unsigned long long ladder_two_over_pi[20] = {
    0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull, 0xfe5163abdebbc561ull, 0xb7246e3a424dd2e0ull,
    0x06492eea09d1921cull, 0xfe1deb1cb129a73eull, 0xe88235f52ebb4484ull, 0xe99c7026b45f7e41ull, 0x3991d639835339f4ull,
    0x9c845f8bbdf9283bull, 0x1ff897ffde05980full, 0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull, 0x4f463f669e5fea2dull,
    0x7527bac7ebe5f17bull, 0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull, 0xf0cfbc209af4361dull};

// x modulo half of pi where x is large: an integer times those 192 digits of 2/pi that matter. What is in front of them
// makes whole turns.
template <class T> static __attribute__((device, noinline, nodebug)) T ladder_rest_of_large(T x, int& quadrant)
{
    const int first = ladder_exponent(x) - (ladder_of<T>::digits - 1) - 2; // digits left out
    const unsigned long long mantissa =
        (ladder_bits(x) & (((LADDER_BITS(T))1 << (ladder_of<T>::digits - 1)) - 1)) | 1ull << (ladder_of<T>::digits - 1);
    unsigned long long digits[3];
    for (int i = 0; i < 3; i++) {
        const int at = first + 64 * i; // may begin before the point, where there are only zeros
        const int word = at < 0 ? -1 : at / 64, shift = at < 0 ? at + 64 : at % 64;
        const unsigned long long left = word < 0 ? 0 : ladder_two_over_pi[word], right = ladder_two_over_pi[word + 1];
        digits[i] = shift == 0 ? left : left << shift | right >> (64 - shift);
    }
    const unsigned long long low = mantissa * digits[2];
    const unsigned long long middle_low = mantissa * digits[1];
    const unsigned long long middle = middle_low + __umul64hi(mantissa, digits[2]);
    const unsigned long long high = mantissa * digits[0] + __umul64hi(mantissa, digits[1]) + (middle < middle_low);
    unsigned long long rest = high << 2 | middle >> 62, next = middle << 2 | low >> 62;
    quadrant = (int)(high >> 62);
    const bool is_negative = rest >> 63;
    if (is_negative) {
        quadrant += 1;
        rest = ~rest, next = ~next;
    }
    const int zeros = min(__clzll(rest), 63);
    rest = zeros == 0 ? rest : rest << zeros | next >> (64 - zeros);
    constexpr int digits_of_t = ladder_of<T>::digits;
    const T part = (T)(rest >> (64 - digits_of_t)) * ladder_power_of_two<T>(-digits_of_t);
    const T more = (T)(rest << digits_of_t >> 32) * ladder_power_of_two<T>(-32) * ladder_power_of_two<T>(-digits_of_t);
    const T angle = ladder_fma(part, ladder_half_pi<T>::high,
                               ladder_fma(part, ladder_half_pi<T>::low, more * ladder_half_pi<T>::high))
                    * ladder_power_of_two<T>(-zeros);
    return is_negative ? -angle : angle;
}

// x = quadrant * pi/2 + rest, modulo whole turns.
LADDER_T T ladder_rest_of_angle(T x, int& quadrant)
{
    const T size = ladder_fabs(x);
    if (size < ladder_half_pi<T>::largest) {
        const T whole = ladder_rint(x * (T)0.63661977236758134);
        quadrant = (int)whole;
        const T rest = ladder_fma(whole, -ladder_half_pi<T>::second, ladder_fma(whole, -ladder_half_pi<T>::first, x));
        return ladder_fma(whole, -ladder_half_pi<T>::third, rest);
    }
    if (!isfinite(x)) return ladder_nan<T>();
    const T rest = ladder_rest_of_large(size, quadrant);
    quadrant = x < 0 ? -quadrant : quadrant;
    return x < 0 ? -rest : rest;
}
LADDER_T T ladder_sine_of_rest(T x) { return ladder_fma(x * x * x, ladder_p_sin(x * x), x); }
LADDER_T T ladder_cosine_of_rest(T x)
{
    const T z = x * x;
    return ladder_fma(z * z, ladder_p_cos(z), ladder_fma(z, (T)-0.5, (T)1));
}
// The sine where the quadrant is even, the cosine where it is odd, with the sign of the quadrant.
LADDER_T T ladder_in_quadrant(T rest, int quadrant)
{
    const T y = quadrant & 1 ? ladder_cosine_of_rest(rest) : ladder_sine_of_rest(rest);
    return quadrant & 2 ? -y : y;
}
LADDER_T T ladder_sin(T x)
{
    int quadrant;
    const T rest = ladder_rest_of_angle(x, quadrant);
    return ladder_in_quadrant(rest, quadrant);
}
LADDER_T T ladder_cos(T x)
{
    int quadrant;
    const T rest = ladder_rest_of_angle(x, quadrant);
    return ladder_in_quadrant(rest, quadrant + 1);
}
LADDER_T T ladder_tan(T x)
{
    int quadrant;
    const T rest = ladder_rest_of_angle(x, quadrant);
    const T sine = ladder_sine_of_rest(rest), cosine = ladder_cosine_of_rest(rest);
    return quadrant & 1 ? -cosine / sine : sine / cosine;
}
// Of pi times x: what is left of the halves is exact.
LADDER_T T ladder_sinpi(T x)
{
    if (!isfinite(x)) return ladder_nan<T>();
    const T halves = ladder_rint(2 * x);
    const T rest = ladder_fma(halves, (T)-0.5, x);
    const T y = ladder_in_quadrant(rest * (T)3.1415926535897931, (int)ladder_fmod(halves, (T)4));
    return y == 0 ? ladder_copysign((T)0, x) : y;
}
LADDER_T T ladder_cospi(T x)
{
    if (!isfinite(x)) return ladder_nan<T>();
    const T halves = ladder_rint(2 * x);
    const T rest = ladder_fma(halves, (T)-0.5, x);
    return ladder_in_quadrant(rest * (T)3.1415926535897931, (int)ladder_fmod(halves, (T)4) + 1);
}

LADDER_T T ladder_atan(T x)
{
    const T size = ladder_fabs(x);
    T t = size, offset = 0, offset_low = 0;
    if (size > (T)2.4142135623730950) {
        t = -1 / size;
        offset = ladder_half_pi<T>::high, offset_low = ladder_half_pi<T>::low;
    } else if (size > (T)0.41421356237309505) {
        t = (size - 1) / (size + 1);
        offset = ladder_half_pi<T>::high / 2, offset_low = ladder_half_pi<T>::low / 2;
    }
    const T rest = ladder_fma(t * t * t, ladder_p_atan(t * t), offset_low);
    return ladder_copysign(offset + (rest + t), x);
}
LADDER_T T ladder_atan2(T y, T x)
{
    if (isnan(x) || isnan(y)) return ladder_nan<T>();
    const T width = ladder_fabs(x), height = ladder_fabs(y);
    const bool is_flat = height <= width;
    const T small = is_flat ? height : width, large = is_flat ? width : height;
    const T tangent = large == 0 ? (T)0 : small == large ? (T)1 : small / large;
    T angle = ladder_atan(tangent);
    if (!is_flat) angle = ladder_half_pi<T>::high - (angle - ladder_half_pi<T>::low);
    if (signbit(x)) angle = 2 * ladder_half_pi<T>::high - (angle - 2 * ladder_half_pi<T>::low);
    return ladder_copysign(angle, y);
}
LADDER_T T ladder_arc_of_small(T x) { return ladder_fma(x * x * x, ladder_p_asin(x * x), x); }
LADDER_T T ladder_asin(T x)
{
    const T size = ladder_fabs(x);
    if (size <= (T)0.5) return ladder_arc_of_small(x);
    // Half of the angle from there to 1 has this sine; what its root was rounded by is added again.
    const T square = (1 - size) * (T)0.5, sine = ladder_sqrt(square);
    const T low = sine > 0 ? ladder_fma(-sine, sine, square) / (2 * sine) : (T)0;
    const T rest = ladder_fma(sine * square, ladder_p_asin(square), low);
    return ladder_copysign(ladder_half_pi<T>::high - 2 * sine - (2 * rest - ladder_half_pi<T>::low), x);
}
LADDER_T T ladder_acos(T x)
{
    if (ladder_fabs(x) <= (T)0.5) return ladder_half_pi<T>::high - (ladder_arc_of_small(x) - ladder_half_pi<T>::low);
    const T arc = 2 * ladder_arc_of_small(ladder_sqrt((1 - ladder_fabs(x)) * (T)0.5));
    return x > 0 ? arc : 2 * ladder_half_pi<T>::high - (arc - 2 * ladder_half_pi<T>::low);
}

LADDER_FAST(sin)
LADDER_FAST(cos)
LADDER_FAST(tan)
LADDER_ONE(sinpi)
LADDER_ONE(cospi)
LADDER_ONE(asin)
LADDER_ONE(acos)
LADDER_ONE(atan)
LADDER_TWO(atan2)
#define LADDER_BOTH(type, name, sine, cosine)                                                                    \
    LADDER_FUNCTION void name(type x, type* sine_of_x, type* cosine_of_x)                                        \
    {                                                                                                            \
        *sine_of_x = sine(x);                                                                                    \
        *cosine_of_x = cosine(x);                                                                                \
    }
LADDER_BOTH(float, sincosf, sinf, cosf)
LADDER_BOTH(float, sincos, sinf, cosf)
LADDER_BOTH(double, sincos, sin, cos)
LADDER_BOTH(float, sincospif, sinpif, cospif)
LADDER_BOTH(double, sincospi, sinpi, cospi)
#undef LADDER_BOTH
