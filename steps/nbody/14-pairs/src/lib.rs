//! Action and reaction: each pair is computed once, and its partner's share travels from lane to lane.
//! Device code: `kernels/nbody/14-pairs.cu`.

use ladder::{Grid, Launch, Threads};
use nbody::{Arithmetic, Host, Scratch, Step, Sum, ring};
use nbody_13_lanes::STEP as PARENT;

/// Bodies of a group, which a warp has in its registers: `GROUP` in its kernel.
pub const GROUP: u32 = 256;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some(
        "the loop runs over groups of bodies and tiles of partners, and adds to both sides",
    ),
    threads: Threads::Blocks { block: 128, stated: true },
    reproducible: false, // warps add to the same sums, in any order
    host: Host {
        padding: GROUP,
        arithmetic: Arithmetic {
            sums: |grid| ring::sums(grid, GROUP, 1, Sum::Uneven),
            ..PARENT.host.arithmetic
        },
        launches,
        of_block: None, // warps of other blocks add to the same sums
        scratch: &[Scratch { name: "sums", bytes: |bodies| bodies as usize * 16 }],
        ..PARENT.host
    },
    ..PARENT.then("14-pairs", "Pairs", "each pair once, for both bodies")
};

/// Every group walks its half of the ring, then the sums become accelerations.
pub fn launches(grid: &Grid) -> Vec<Launch> {
    vec![ring::walk("force", grid, GROUP), ring::per_body("correct", grid)]
}
