//! Vectors: position and mass of a body lie side by side, so that one load of 16 bytes brings them, where it took four.
//! Device code: `kernels/nbody/11-float4.cu`.

use ladder::Code;
use nbody::{Host, Layout, Step};
use nbody_10_fast_math::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "11-float4",
    after: Some(PARENT.name),
    title: "float4",
    changes: "position and mass in one float4",
    rewrite: Some("every load and store becomes one of a float4"),
    code: Code::Cuda { file: "11-float4", options: &["--use_fast_math"] },
    host: Host { layout: Layout::Float4, ..PARENT.host },
    ..PARENT
};
