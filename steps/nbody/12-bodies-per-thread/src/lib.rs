//! Register blocking: a thread has two bodies, so that what it loads of a partner serves both.
//! Device code: `kernels/nbody/12-bodies-per-thread.cu`.

use ladder::{Code, Grid, Launch, Threads};
use nbody::{Host, Step};
use nbody_11_float4::STEP as PARENT;

/// Bodies of a thread: `BODIES` in its kernel.
const BODIES: u32 = 2;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "12-bodies-per-thread",
    after: Some(PARENT.name),
    title: "Bodies per thread",
    changes: "two bodies per thread",
    rewrite: Some("each number of a body becomes one for each of the thread's bodies"),
    code: Code::Cuda { file: "12-bodies-per-thread", options: &["--use_fast_math"] },
    threads: Threads::Blocks { block: 256, stated: true },
    host: Host { padding: 512, launches, of_block: Some(of_block), ..PARENT.host },
    ..PARENT
};

fn of_block(grid: &Grid) -> u32 {
    BODIES * grid.block
}

fn launches(grid: &Grid) -> Vec<Launch> {
    let blocks = grid.n.div_ceil(of_block(grid));
    vec![Launch::row("force", blocks, grid.block)]
}
