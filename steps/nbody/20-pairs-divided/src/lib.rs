//! Pairs divided over GPUs: each meets its own bodies with the half of the ring that follows them, and the sums of partners go back.
//! Device code: `kernels/nbody/20-pairs-divided.cu`.

use ladder::{Grid, Launch, Threads};
use nbody::{DIVIDED, Division, Host, Step, Summed, ring};
use nbody_14_pairs::STEP as PARENT;

/// Bodies of a group, which a warp has in its registers: `GROUP` in its kernel.
const GROUP: u32 = 256;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    threads: Threads::Blocks { block: 128, stated: true },
    elsewhere: Some(DIVIDED),
    host: Host {
        launches,
        division: Some(Division {
            near: &["near"],
            summed: Some(Summed { scratch: "sums", before: "correct" }),
        }),
        ..PARENT.host
    },
    ..PARENT.then(
        "20-pairs-divided",
        "Pairs divided",
        "pairs divided over several GPUs, partners' sums returned",
    )
};

/// Own groups meet own groups, then the rest of their half of the ring; then sums become accelerations.
fn launches(grid: &Grid) -> Vec<Launch> {
    let [near, far] = ring::divided("near", "force", grid, GROUP);
    vec![near, far, ring::per_body("correct", grid)]
}
