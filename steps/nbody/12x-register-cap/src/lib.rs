//! A detour: four bodies per thread, and so few registers that a multiprocessor runs as many threads as it can.
//! Device code: `kernels/nbody/12x-register-cap.cu`.

use ladder::{Grid, Launch, Threads};
use nbody::{Host, Step};
use nbody_12_bodies_per_thread::STEP as PARENT;

/// Bodies of a thread: `BODIES` in its kernel.
const BODIES: u32 = 4;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    threads: Threads::Blocks { block: 128, stated: true },
    host: Host { padding: 512, launches, of_block: Some(of_block), ..PARENT.host },
    ..PARENT.then(
        "12x-register-cap",
        "Register cap",
        "four bodies per thread, at most 32 registers",
    )
};

fn of_block(grid: &Grid) -> u32 {
    BODIES * grid.block
}

fn launches(grid: &Grid) -> Vec<Launch> {
    let blocks = grid.n.div_ceil(of_block(grid));
    vec![Launch::row("force", blocks, grid.block)]
}
