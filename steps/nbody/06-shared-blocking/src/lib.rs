//! Blocking: a block copies a tile of bodies to shared memory and then uses each of them 256 times.
//! Device code: `kernels/nbody/06-shared-blocking.cu`.

use ladder::Code;
use nbody::Step;
use nbody_05_rsqrt::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "06-shared-blocking",
    after: Some(PARENT.name),
    title: "Shared blocking",
    changes: "tiles of 256 bodies in shared memory",
    code: Code::Cuda { file: "06-shared-blocking", options: &[] },
    ..PARENT
};
