//! C++'s standard headers, as far as kernels use them. NVRTC has none, although it knows `printf`, `assert`, `size_t` and
//! the mathematical functions without any.
//!
//! What needs templates comes from NVIDIA's C++ library, libcu++, where its headers are installed. These include each other
//! by the same names, so that a program gets the headers of this file under names of their own.

use super::include;

/// The folder in the names under which a program gets them.
const FOLDER: &str = "ladder";

/// Declares what the compiler declares anyway.
const BUILT_IN: &str = "#pragma once\n";

/// Names and texts; each also by C's name.
const OWN: &[(&str, &str, &str)] = &[
    // As libcu++ declares them for NVRTC: a program may include both.
    ("cstdint", "stdint.h", include_str!("standard/stdint.h")),
    ("cstddef", "stddef.h", include_str!("standard/stddef.h")),
    ("climits", "limits.h", include_str!("standard/limits.h")),
    ("cfloat", "float.h", include_str!("standard/float.h")),
    ("cmath", "math.h", include_str!("standard/math.h")),
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
