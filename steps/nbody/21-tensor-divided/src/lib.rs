//! Pairs divided over GPUs, each with its tensor cores.
//! Device code: `kernels/nbody/21-tensor-divided.cu`.

use ladder::{Grid, Launch, Threads};
use nbody::{DIVIDED, Division, Host, Step, Summed, ring};
use nbody_18_longer_sums::STEP as PARENT;

/// Bodies of a group, which a warp has in its registers: `GROUP` in its kernel.
const GROUP: u32 = 64;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some("both of its parent's kernels become two, for own groups and for all others"),
    threads: Threads::Blocks { block: 128, stated: true },
    elsewhere: Some(DIVIDED),
    host: Host {
        launches,
        division: Some(Division {
            near: &["prepare_own", "near"],
            summed: Some(Summed { scratch: "sums", before: "correct" }),
        }),
        ..PARENT.host
    },
    ..PARENT.then(
        "21-tensor-divided",
        "Tensor cores, divided",
        "pairs divided over several GPUs, on tensor cores",
    )
};

/// Own bodies' matrices, own groups' meetings; the others' matrices, the rest of the ring; then sums become accelerations.
fn launches(grid: &Grid) -> Vec<Launch> {
    let [near, far] = ring::divided("near", "force", grid, GROUP);
    let prepare = |kernel, bodies| Launch::row(kernel, bodies / GROUP, GROUP);
    vec![
        prepare("prepare_own", grid.own),
        near,
        prepare("prepare", grid.padded),
        far,
        ring::per_body("correct", grid),
    ]
}
