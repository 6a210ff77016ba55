//! A yardstick: ten lines of C, compiled here at the C compiler's best options. Its code:
//! `kernels/cpu/11x-gcc.c`.

use cpu_11_threads::STEP as PARENT;
use ladder::Code;
use nbody::{Arithmetic, Host, Step, Sum, Terms};

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    code: Code::C { file: "11x-gcc", options: &["-Ofast", "-march=native", "-fopenmp"] },
    host: Host {
        // Of eight lanes or sixteen, compilers may choose eight where there are sixteen.
        arithmetic: Arithmetic {
            terms: Terms::Single,
            sums: |grid| vec![Sum::Rounded(grid.n.div_ceil(8)), Sum::Rounded(8)],
        },
        ..PARENT.host
    },
    ..PARENT.then(
        "11x-gcc",
        "C compiler",
        "ten lines of C, compiled here with -Ofast -march=native -fopenmp",
    )
};
