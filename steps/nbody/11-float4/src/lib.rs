//! Vectors: position and mass of a body lie side by side, so that one load of 16 bytes brings them, where it took four.
//! Device code: `kernels/nbody/11-float4.cu`.

use nbody::{Host, Layout, Step};
use nbody_10_fast_math::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some("every load and store becomes one of a float4"),
    host: Host { layout: Layout::Float4, ..PARENT.host },
    ..PARENT.then("11-float4", "float4", "position and mass in one float4")
};
