//! A detour: unrolling sixteen times further.
//! Device code: `kernels/nbody/09x-unroll-128.cu`.

use nbody::Step;
use nbody_09_fma_order::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = PARENT.then("09x-unroll-128", "Unroll 128", "unrolled 128 times");
