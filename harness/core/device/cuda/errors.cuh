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

// Lanczos' approximation of the gamma function of x + 1, without its power: its coefficients are for g = 7 and 9 terms.
LADDER_FUNCTION double ladder_lanczos(double x)
{
    const double c[] = {676.5203681218851,    -1259.1392167224028,   771.32342877765313,    -176.61502916214059,
                        12.507343278686905,   -0.13857109526572012,  9.9843695780195716e-6, 1.5056327351493116e-7};
    double sum = 0.99999999999980993;
#pragma unroll
    for (int i = 0; i < 8; i++) sum += c[i] / (x + (i + 1));
    return sum * 2.5066282746310002; // times the root of 2 pi
}
// Of a half and more.
LADDER_FUNCTION double ladder_tgamma_of(double x)
{
    const double t = x + 6.5;
    const double half = ladder_pow(t, (x - 0.5) * 0.5); // the whole power may be too large
    return half * ladder_exp(-t) * half * ladder_lanczos(x - 1);
}
LADDER_FUNCTION double ladder_lgamma_of(double x)
{
    const double t = x + 6.5;
    return (x - 0.5) * ladder_log(t) - t + ladder_log(ladder_lanczos(x - 1));
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
