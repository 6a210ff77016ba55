//! A yardstick: ten lines of C, compiled here at the C compiler's best options. Its code:
//! `kernels/cpu/11x-gcc.c`.

use cpu_11_threads::STEP as PARENT;
use ladder::Code;
use nbody::Step;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "11x-gcc",
    after: Some(PARENT.name),
    detour: true,
    title: "C compiler",
    changes: "ten lines of C, compiled here with -Ofast -march=native -fopenmp",
    code: Code::C { file: "11x-gcc", options: &["-Ofast", "-march=native", "-fopenmp"] },
    ..PARENT
};
