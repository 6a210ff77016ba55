//! A detour: partners come through the read-only path, one load for a whole warp, without tiles.
//! Device code: `kernels/nbody/11x-uniform-loads.cu`.

use nbody::Step;
use nbody_11_float4::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = PARENT.then(
    "11x-uniform-loads",
    "Uniform loads",
    "no tiles: read-only loads, the same for all lanes",
);
