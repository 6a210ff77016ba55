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
LADDER_T T ladder_normcdf(T x) { return (T)0.5 * ladder_erfc(x * (T)-0.70710678118654752); }

// 1 / gamma(1 + z) for z from 0 to 1.
LADDER_FUNCTION double ladder_p_gamma(double z)
{
    return ladder_polynomial(z, 1.0, 0.5772156649015329, -0.655878071520254, -0.04200263503408844,
                             0.16653861138213813, -0.04219773455343942, -0.009621971547016515, 0.007218943368354901,
                             -0.0011651681527523503, -0.00021523975443107834, 0.0001280453289448859, -2.012514182546088e-05,
                             -1.2649833147740788e-06, 1.1493728414298195e-06, -2.1936819701207063e-07, 1.447201455138861e-08,
                             1.5064283380774978e-09, -2.76936022375562e-10);
}
// Below 16: gamma(x) by its factors down to between 1 and 2, whose differences are exact.
LADDER_FUNCTION double ladder_small_gamma(double x)
{
    if (x < 1) return 1 / (x * ladder_p_gamma(x));
    double product = 1;
    while (x >= 2) product *= x -= 1;
    return product / ladder_p_gamma(x - 1);
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
LADDER_FUNCTION float ladder_tgamma(float x) { return (float)ladder_tgamma((double)x); }
LADDER_FUNCTION float ladder_lgamma(float x) { return (float)ladder_lgamma((double)x); }
LADDER_ONE(erf)
LADDER_ONE(erfc)
LADDER_ONE(normcdf)
LADDER_ONE(tgamma)
LADDER_ONE(lgamma)
