//! A detour: the same kernels in Rust.
//! Device code: `kernels/nbody/05x-rust.rs`.

use ladder::Code;
use nbody::Step;
use nbody_05_rsqrt::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    code: Code::RustKernels,
    rewrite: Some("it is written in another language"),
    needs: (7, 0), // the oldest GPU that rustc compiles for
    ..PARENT.then("05x-rust", "Rust", "the same kernels in Rust")
};
