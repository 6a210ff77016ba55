//! Register blocking: a thread has two bodies, so that what it loads of a partner serves both.
//! Device code: `kernels/nbody/12-bodies-per-thread.cu`.

use ladder::{Grid, Launch, Threads};
use nbody::{Host, Step};
use nbody_11_float4::STEP as PARENT;

/// Bodies of a thread: `BODIES` in its kernel.
const BODIES: u32 = 2;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some("each number of a body becomes one for each of the thread's bodies"),
    threads: Threads::Blocks { block: 256, stated: true },
    host: Host { padding: 512, launches, of_block: Some(of_block), ..PARENT.host },
    ..PARENT.then("12-bodies-per-thread", "Bodies per thread", "two bodies per thread")
};

fn of_block(grid: &Grid) -> u32 {
    BODIES * grid.block
}

fn launches(grid: &Grid) -> Vec<Launch> {
    let blocks = grid.n.div_ceil(of_block(grid));
    vec![Launch::row("force", blocks, grid.block)]
}
