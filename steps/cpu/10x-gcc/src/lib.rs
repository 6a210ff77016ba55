//! A yardstick: the loop in C, compiled here at the C compiler's best options. Its code: `kernels/cpu/10x-gcc.c`.

use cpu_03_no_if::STEP as PARENT;
use ladder::{Code, Step, Threads};

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "10x-gcc",
    after: Some(PARENT.name),
    detour: true,
    title: "C compiler",
    changes: "ten lines of C, compiled here with -Ofast -march=native -fopenmp",
    code: Code::C { file: "10x-gcc", options: &["-Ofast", "-march=native", "-fopenmp"] },
    padding: 4,
    threads: Threads::Cores,
    ..PARENT
};
