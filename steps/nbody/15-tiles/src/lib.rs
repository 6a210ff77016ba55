//! Tiles: 16 bodies and 16 partners are a matrix of pairs, spread over a warp as tensor cores have theirs.
//! Device code: `kernels/nbody/15-tiles.cu`.

use ladder::{Grid, Launch, Threads};
use nbody::{Arithmetic, Host, Step, Sum, ring};
use nbody_14_pairs::STEP as PARENT;

/// Bodies of a group, which a warp has in its registers: `GROUP` in its kernel.
pub const GROUP: u32 = 64;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some("each lane has other pairs, so loads, loops and additions are all new"),
    threads: Threads::Blocks { block: 128, stated: true },
    host: Host {
        padding: GROUP,
        arithmetic: Arithmetic {
            sums: |grid| ring::sums(grid, GROUP, 4, Sum::Uneven),
            ..PARENT.host.arithmetic
        },
        launches,
        ..PARENT.host
    },
    ..PARENT.then("15-tiles", "Tiles", "pairs spread over the lanes as matrices of 16 by 16")
};

/// Every group walks its half of the ring, then the sums become accelerations.
fn launches(grid: &Grid) -> Vec<Launch> {
    vec![ring::walk("force", grid, GROUP), ring::per_body("correct", grid)]
}
