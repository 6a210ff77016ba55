//! C++'s standard headers, as far as kernels use them. NVRTC has none, although it knows `printf`, `assert`, `size_t` and
//! the mathematical functions without any.
//!
//! What needs templates comes from NVIDIA's C++ library, libcu++, where its headers are installed. These include each other
//! by the same names, so that a program gets the headers of this file under names of their own.

use super::include;

/// The folder in the names under which a program gets them.
const FOLDER: &str = "ladder";

/// Integers of fixed width, as libcu++ declares them for NVRTC: a program may include both.
const INTEGERS: &str = "#pragma once
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef int64_t intptr_t;
typedef uint64_t uintptr_t;
typedef int64_t intmax_t;
typedef uint64_t uintmax_t;
#define INT8_MIN (-128)
#define INT16_MIN (-32768)
#define INT32_MIN (-2147483647 - 1)
#define INT64_MIN (-9223372036854775807LL - 1)
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT64_MAX 9223372036854775807LL
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295u
#define UINT64_MAX 18446744073709551615ull
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::intptr_t; using ::uintptr_t; using ::intmax_t; using ::uintmax_t;
}
";

const SIZES: &str = "#pragma once
namespace std {
using ::size_t; using ::ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
}
";

const INTEGER_LIMITS: &str = "#pragma once
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295u
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ull
";

const FLOAT_LIMITS: &str = "#pragma once
#define FLT_MANT_DIG 24
#define FLT_MIN 1.17549435e-38f
#define FLT_MAX 3.40282347e+38f
#define FLT_EPSILON 1.19209290e-7f
#define DBL_MANT_DIG 53
#define DBL_MIN 2.2250738585072014e-308
#define DBL_MAX 1.7976931348623157e+308
#define DBL_EPSILON 2.2204460492503131e-16
";

const MATHEMATICS: &str = "#pragma once
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
";

/// Declares what the compiler declares anyway.
const BUILT_IN: &str = "#pragma once\n";

/// Names and texts; each also by C's name.
const OWN: &[(&str, &str, &str)] = &[
    ("cstdint", "stdint.h", INTEGERS),
    ("cstddef", "stddef.h", SIZES),
    ("climits", "limits.h", INTEGER_LIMITS),
    ("cfloat", "float.h", FLOAT_LIMITS),
    ("cmath", "math.h", MATHEMATICS),
    ("cassert", "assert.h", BUILT_IN),
    ("cstdio", "stdio.h", BUILT_IN),
    ("cstdlib", "stdlib.h", BUILT_IN),
    ("cstring", "string.h", BUILT_IN),
];

/// Those of libcu++, where they are in the namespace `cuda::std`.
const OF_LIBRARY: &[&str] = &[
    "algorithm",
    "array",
    "atomic",
    "bit",
    "chrono",
    "complex",
    "functional",
    "initializer_list",
    "limits",
    "optional",
    "ratio",
    "span",
    "tuple",
    "type_traits",
    "utility",
];

/// The headers for the compiler: names, as [`named`] writes them, and texts.
pub(super) fn headers() -> Vec<(String, String)> {
    let name = |name: &str| format!("{FOLDER}/{name}");
    let own = OWN
        .iter()
        .flat_map(|&(cpp, c, text)| [(name(cpp), text.to_owned()), (name(c), text.to_owned())]);
    let of_library = OF_LIBRARY.iter().map(|&it| {
        let text = format!(
            "#pragma once\n#include <cuda/std/{it}>\nnamespace std {{ using namespace cuda::std; }}\n"
        );
        (name(it), text)
    });
    own.chain(of_library).collect()
}

/// The text with its standard headers by the names that they have here; each line stays a line.
pub(super) fn named(text: &str) -> String {
    let is_known = |name: &str| {
        OWN.iter().any(|(cpp, c, _)| name == *cpp || name == *c) || OF_LIBRARY.contains(&name)
    };
    let line = |line: &str| match include::header(line).filter(|name| is_known(name)) {
        Some(name) => line.replacen(&format!("<{name}>"), &format!("<{FOLDER}/{name}>"), 1),
        None => line.to_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn standard_headers_get_their_names_and_others_stay() {
        let text = "#include <cstdint> // integers\n# include <cuda/atomic>\n#include \"a.cuh\"\na<limits>(b)\n";
        assert_eq!(named(text), text.replace("<cstdint>", "<ladder/cstdint>"));
    }
}
