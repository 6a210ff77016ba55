//! One thread per body: the outer loop becomes the launch.
//! Device code: `kernels/nbody/02-n-threads.cu`.

use ladder::{Code, Threads};
use nbody::{Host, Step, step::one_launch};
use nbody_01_one_thread::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "02-n-threads",
    after: Some(PARENT.name),
    title: "N threads",
    changes: "one thread per body, 256 a block",
    code: Code::Cuda { file: "02-n-threads", options: &[] },
    threads: Threads::Blocks { block: 256, stated: false },
    host: Host { launches: one_launch, ..PARENT.host },
    ..PARENT
};
