//! A detour: partners come through the read-only path, one load for a whole warp, without tiles.
//! Device code: `kernels/nbody/11x-uniform-loads.cu`.

use ladder::Code;
use nbody::Step;
use nbody_11_float4::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "11x-uniform-loads",
    after: Some(PARENT.name),
    detour: true,
    title: "Uniform loads",
    changes: "no tiles: read-only loads, the same for all lanes",
    rewrite: None,
    code: Code::Cuda { file: "11x-uniform-loads", options: &["--use_fast_math"] },
    ..PARENT
};
