//! One thread per body: the outer loop becomes the launch.
//! Device code: `kernels/nbody/02-n-threads.cu`.

use ladder::Threads;
use nbody::{Host, Step, step::one_launch};
use nbody_01_one_thread::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    threads: Threads::Blocks { block: 256, stated: false },
    host: Host { launches: one_launch, ..PARENT.host },
    ..PARENT.then("02-n-threads", "N threads", "one thread per body, 256 a block")
};
