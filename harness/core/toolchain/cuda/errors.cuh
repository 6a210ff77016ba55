// SPDX-License-Identifier: MIT OR Apache-2.0
// The error function, the normal distribution and the gamma function.
#pragma once
#pragma clang system_header

// By z = x^2: erf x / x less 2 over the root of pi, for |x| of at most 1.
LADDER_POLYNOMIAL(ladder_p_erf,
    (-3.39691587e-11f, -0.376126385f, 0.112837825f, -0.0268654307f, 5.22103181e-3f, -8.48408041e-4f, 1.1265959e-4f,
     -9.66704457e-6f),
    (-3.3506475779362083e-23, -0.376126389031837525, 0.112837916709551256, -0.0268661706451312185,
     5.22397762544167401e-3, -8.54832702340300061e-4, 1.20553329788794839e-4, -1.49256502369675017e-5,
     1.64621107820186364e-6, -1.63657686488320721e-7, 1.48060271461287517e-8, -1.22777344867955238e-9,
     9.32372351815302663e-11, -6.19673642878769998e-12, 2.80671281956112625e-13))
// By t = 1 / (1 + x/2): e^(x^2) erfc x from 0.9 to where erfc is 0.
LADDER_POLYNOMIAL(ladder_p_erfc,
    (1.55996724e-6f, 0.282045326f, 0.282780971f, 0.241364582f, 0.2038871f, -7.1804674e-3f, 0.188829553f, -0.298721327f,
     0.0651178646f, 0.0769969537f, -0.0351939077f),
    (7.48220515868739573e-15, 0.282094791773002504, 0.282094791821420483, 0.246832941209599951, 0.176309281774670702,
     0.0837462618717774559, -4.39954371707678253e-3, -0.0568326356124091115, -0.0527771304215443376,
     -8.03300815495041446e-3, 0.0709880576294298754, -0.0286550767002151066, 0.221048179540593182, -0.419613379329027784,
     -0.634236749430888307, 5.73982973493366943, -21.0979046147851993, 53.5343640126179166, -98.7407309514549783,
     134.461475884615959, -136.033047617533221, 101.641782768684095, -54.8005125310877792, 20.2613698589233938,
     -4.61486071636655946, 0.489667716176639569))

LADDER_T T ladder_erfc_of_large(T x) // of 0.9 and more
{
    const T square = ladder_product(x, x), square_low = ladder_fma(x, x, -square);
    return ladder_exp(-square) * (1 - square_low) * ladder_p_erfc(1 / ladder_fma(x, (T)0.5, (T)1));
}
LADDER_T T ladder_erf(T x)
{
    const T size = ladder_fabs(x);
    if (size < 1) {
        constexpr T slope = (T)1.1283791670955126; // 2 over the root of pi, and what it is rounded by
        constexpr T slope_low = sizeof(T) == 4 ? (T)-5.863538342e-8 : (T)1.533545961316588e-17;
        const T linear = ladder_product(x, slope);
        const T low = ladder_fma(x, slope_low, ladder_fma(x, slope, -linear));
        return linear + ladder_fma(x, ladder_p_erf(x * x), low);
    }
    return isnan(x) ? x : ladder_copysign(size > 6 ? (T)1 : 1 - ladder_erfc_of_large(size), x);
}
LADDER_T T ladder_erfc(T x)
{
    if (x < 1) return 1 - ladder_erf(x);
    return x > (T)28 ? (T)0 : isnan(x) ? x : ladder_erfc_of_large(x);
}
// e^(x^2) erfc x. Far out by its asymptotic series in z = 1 / (2 x^2).
LADDER_FUNCTION double ladder_erfcx(double x)
{
    const double square = x * x, square_low = ladder_fma(x, x, -square);
    const double growth = ladder_exp(square), growth_low = isfinite(growth) ? growth * square_low : 0;
    if (x < 0.9) return ladder_erfc(x) * growth + ladder_erfc(x) * growth_low;
    if (x < 28) return ladder_p_erfc(1 / ladder_fma(x, 0.5, 1.0));
    if (isnan(x)) return x;
    const double z = 0.5 / x / x;
    return 0.56418958354775629 / x * ladder_polynomial(z, 1.0, -1.0, 3.0, -15.0, 105.0, -945.0, 10395.0);
}
// The z of erf z = x for |x| of at most a half, by Newton's steps.
static __attribute__((device, noinline, nodebug)) double ladder_root_of_erf(double x)
{
    constexpr double slope = 1.1283791670955126; // 2 over the root of pi
    double root = x / slope;
    for (int i = 0; i < 5; i++) root += (x - ladder_erf(root)) / (slope * ladder_exp(-root * root));
    return root;
}
// The x of erfc x = y: by Newton's steps on the logarithm of erfc.
static __attribute__((device, noinline, nodebug)) double ladder_erfcinv(double y)
{
    if (!(y > 0 && y < 2)) return y == 0 ? ladder_infinity<double>() : y == 2 ? -ladder_infinity<double>() : ladder_nan<double>();
    if (y > 1.5) return -ladder_erfcinv(2 - y);
    if (y > 0.5) return ladder_root_of_erf(1 - y);
    const double log = ladder_log(y);
    double x = ladder_sqrt(-log);
    for (int i = 0; i < 7; i++) {
        const double scaled = ladder_erfcx(x);
        x += (ladder_log(scaled) - ladder_fma(x, x, log)) * scaled * 0.88622692545275801; // half of the root of pi
    }
    return x;
}
LADDER_FUNCTION double ladder_erfinv(double x)
{
    const double size = ladder_fabs(x);
    return size > 0.5 ? ladder_copysign(ladder_erfcinv(1 - size), x) : ladder_root_of_erf(x);
}
// Of x over -root 2, whose last digits count where erfc falls steeply.
LADDER_FUNCTION double ladder_normcdf(double x)
{
    constexpr double by = -0.70710678118654757, by_low = 4.8336466567264567e-17;
    const double t = ladder_product(x, by), low = ladder_fma(x, by_low, ladder_fma(x, by, -t));
    if (!(ladder_fabs(x) < 40)) return x < 0 ? 0 : x > 0 ? 1 : x;
    return 0.5 * ladder_fma(-1.1283791670955126 * low, ladder_exp(-t * t), ladder_erfc(t));
}
LADDER_FUNCTION double ladder_normcdfinv(double x)
{
    return ladder_erfcinv(2 * x) * -1.4142135623730951;
}

// (1 / gamma(1 + z) - 1) / z for z from -1/2 to 1.
LADDER_FUNCTION double ladder_p_gamma(double z)
{
    return ladder_polynomial(z, 0.57721566490153287, -0.6558780715202539, -0.042002635034095237,
                             0.16653861138229148, -0.042197734555544389, -0.0096219715278770736,
                             0.0072189432466645449, -0.0011651675918584342, -0.0002152416741343045,
                             0.00012805028239850624, -2.0134854644907183e-05, -1.2504936626422594e-06,
                             1.1330267729520791e-06, -2.056327778735565e-07, 6.1164260644195714e-09,
                             4.9993416139935918e-09, -1.179376600464652e-09, 1.0606331720023715e-10,
                             4.3353265441233227e-12, -1.6013364783208483e-12);
}
// Below 16: gamma(x) by its factors down to between 1 and 2, whose differences are exact.
LADDER_FUNCTION double ladder_small_gamma(double x)
{
    if (x < 1) return 1 / (x * ladder_fma(x, ladder_p_gamma(x), 1.0));
    double product = 1;
    while (x >= 2) product *= x -= 1;
    return product / ladder_fma(x - 1, ladder_p_gamma(x - 1), 1.0);
}
// Stirling's series, for x of 16 and more: what the logarithm of gamma(x) has beyond (x - 1/2) log x - x.
LADDER_FUNCTION double ladder_stirling(double x)
{
    const double y = 1 / x, z = y * y;
    const double series = ladder_polynomial(z, 8.3333333333333333e-2, -2.7777777777777778e-3, 7.9365079365079365e-4,
                                            -5.9523809523809524e-4, 8.4175084175084175e-4, -1.9175269175269175e-3);
    return ladder_fma(y, series, 0.91893853320467274); // half of the logarithm of 2 pi
}
// Of a half and more.
LADDER_FUNCTION double ladder_tgamma_of(double x)
{
    if (x < 16) return ladder_small_gamma(x);
    const double half = ladder_pow(x, (x - 0.5) * 0.5); // the whole power may be too large
    return half * ladder_exp(-x) * half * ladder_exp(ladder_stirling(x));
}
LADDER_FUNCTION double ladder_lgamma_of(double x)
{
    // Near its zeros at 1 and 2 by what the polynomial has beyond 1.
    if (x < 1.65) return -ladder_log1p((x - 1) * ladder_p_gamma(x - 1));
    if (x < 2.5) return ladder_log1p(x - 2) - ladder_log1p((x - 2) * ladder_p_gamma(x - 2));
    return x < 16 ? ladder_log(ladder_small_gamma(x)) : (x - 0.5) * ladder_log(x) - x + ladder_stirling(x);
}
LADDER_FUNCTION double ladder_tgamma(double x)
{
    if (x != x || x == -ladder_infinity<double>()) return ladder_nan<double>();
    if (x > 172) return ladder_infinity<double>();
    if (x == ladder_trunc(x) && x <= 0) return x == 0 ? 1 / x : ladder_nan<double>();
    if (x < 0.5) return 3.1415926535897931 / (ladder_sinpi(x) * ladder_tgamma_of(1 - x));
    return ladder_tgamma_of(x);
}
LADDER_FUNCTION double ladder_lgamma(double x)
{
    if (!isfinite(x)) return x * x;
    if (x == ladder_trunc(x) && x <= 0) return ladder_infinity<double>();
    if (x < 0.5) return ladder_log(3.1415926535897931 / ladder_fabs(ladder_sinpi(x))) - ladder_lgamma_of(1 - x);
    return ladder_lgamma_of(x);
}

// Those of float by those of double.
#define LADDER_BY_DOUBLE(name)                                                                                   \
    LADDER_FUNCTION float ladder_##name(float x) { return (float)ladder_##name((double)x); }                     \
    LADDER_ONE(name)
LADDER_ONE(erf)
LADDER_ONE(erfc)
LADDER_BY_DOUBLE(erfcx)
LADDER_BY_DOUBLE(erfinv)
LADDER_BY_DOUBLE(erfcinv)
LADDER_BY_DOUBLE(normcdf)
LADDER_BY_DOUBLE(normcdfinv)
LADDER_BY_DOUBLE(tgamma)
LADDER_BY_DOUBLE(lgamma)
