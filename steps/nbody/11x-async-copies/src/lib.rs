//! A detour: tiles come by copies for which nobody waits, one while the other is used.
//! Device code: `kernels/nbody/11x-async-copies.cu`.

use ladder::Code;
use nbody::Step;
use nbody_11_float4::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "11x-async-copies",
    after: Some(PARENT.name),
    detour: true,
    title: "Asynchronous copies",
    changes: "tiles copied asynchronously into two buffers",
    rewrite: None,
    code: Code::Cuda { file: "11x-async-copies", options: &["--use_fast_math"] },
    needs: (8, 0),
    ..PARENT
};
