//! Register blocking: a thread has two bodies, so that what it loads of a partner serves both.
//! Device code: `kernels/nbody/12-bodies-per-thread.cu`.

use ladder::{Code, Grid, Launch, Step, Threads};
use nbody_11_float4::STEP as PARENT;

/// Bodies of a thread: `BODIES` in its kernel.
const BODIES: u32 = 2;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "12-bodies-per-thread",
    after: Some(PARENT.name),
    title: "Bodies per thread",
    changes: "two bodies per thread",
    code: Code::Cuda { file: "12-bodies-per-thread", options: &["--use_fast_math"] },
    padding: 512,
    threads: Threads::Planned { block: 256, launches },
    ..PARENT
};

fn launches(grid: &Grid) -> Vec<Launch> {
    let blocks = grid.bodies.div_ceil(BODIES * grid.block);
    vec![Launch { kernel: "force", blocks, threads: grid.block, shared_bytes: 0 }]
}
