#pragma once
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define HUGE_VAL __longlong_as_double(0x7ff0000000000000LL)
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#define M_SQRT2 1.41421356237309504880
namespace std {
using ::abs; using ::fabs; using ::fmod; using ::fma; using ::fmin; using ::fmax; using ::min; using ::max;
using ::sqrt; using ::cbrt; using ::hypot; using ::pow; using ::exp; using ::exp2; using ::expm1;
using ::log; using ::log2; using ::log10; using ::log1p; using ::erf; using ::erfc; using ::tgamma; using ::lgamma;
using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan; using ::atan2;
using ::sinh; using ::cosh; using ::tanh; using ::floor; using ::ceil; using ::round; using ::trunc;
using ::isnan; using ::isinf; using ::isfinite; using ::signbit; using ::copysign;
}
