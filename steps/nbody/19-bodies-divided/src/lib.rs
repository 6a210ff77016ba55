//! Bodies divided over GPUs: each moves its own, and after each time step positions are gathered from all.
//! Device code: `kernels/nbody/19-bodies-divided.cu`.

use ladder::{Grid, Launch, Threads};
use nbody::{DIVIDED, Division, Host, Scratch, Step};
use nbody_13_lanes::STEP as PARENT;

/// Bodies of a warp: `BODIES` in its kernel.
const BODIES: u32 = 2;
/// Threads of a warp, which is a block.
const WARP: u32 = 32;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some("one kernel becomes two, for own bodies and for all others"),
    threads: Threads::Blocks { block: WARP, stated: true },
    elsewhere: Some(DIVIDED),
    host: Host {
        launches,
        of_block: None, // two kernels make an acceleration
        scratch: &[Scratch { name: "sums", bytes: |bodies| bodies as usize * 16 }],
        division: Some(Division { near: &["near"], summed: None }),
        ..PARENT.host
    },
    ..PARENT.then(
        "19-bodies-divided",
        "Bodies divided",
        "bodies divided over several GPUs, positions gathered",
    )
};

/// A warp for every two own bodies: first with own partners, then with all others.
fn launches(grid: &Grid) -> Vec<Launch> {
    let launch = |kernel| Launch::row(kernel, grid.own / BODIES, grid.block);
    vec![launch("near"), launch("force")]
}
