//! The compiler's fast math on step 09's source: subnormal numbers are flushed to zero, so that `rsqrtf` is a single instruction.
//! Device code: `kernels/nbody/09-fma-order.cu`.

use ladder::Code;
use nbody::Step;
use nbody_09_fma_order::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    code: Code::Cuda { file: "09-fma-order", options: &["--use_fast_math"] },
    ..PARENT.then("10-fast-math", "Fast math", "09's source with --use_fast_math")
};
