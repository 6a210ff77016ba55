//! A detour: tiles come by copies for which nobody waits, one while the other is used.
//! Device code: `kernels/nbody/11x-async-copies.cu`.

use nbody::Step;
use nbody_11_float4::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    needs: (8, 0),
    ..PARENT.then(
        "11x-async-copies",
        "Asynchronous copies",
        "tiles copied asynchronously into two buffers",
    )
};
