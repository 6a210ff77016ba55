//! Blocking: a block copies a tile of bodies to shared memory and then uses each of them 256 times.
//! Device code: `kernels/nbody/06-shared-blocking.cu`.

use nbody::Step;
use nbody_05_rsqrt::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step =
    PARENT.then("06-shared-blocking", "Shared blocking", "tiles of 256 bodies in shared memory");
