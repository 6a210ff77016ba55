//! The reciprocal square root as one approximate instruction instead of two exact sequences.
//! Device code: `kernels/nbody/05-rsqrt.cu`.

use nbody::Step;
use nbody_04_constant_params::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = PARENT.then("05-rsqrt", "rsqrtf", "rsqrtf instead of 1 / sqrtf");
