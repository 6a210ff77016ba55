//! A warp for two bodies, its lanes each with every 32nd partner: sixteen times as many threads, so that few bodies fill the chip.
//! Device code: `kernels/nbody/13-lanes.cu`.

use ladder::{Grid, Launch, Threads};
use nbody::{Arithmetic, Host, Step, Sum, Terms};
use nbody_12_bodies_per_thread::STEP as PARENT;

/// Bodies of a warp: `BODIES` in its kernel.
const BODIES: u32 = 2;
/// Threads of a warp.
const WARP: u32 = 32;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some("shared memory and barriers go, and sums are added up over lanes"),
    threads: Threads::Blocks { block: WARP, stated: true },
    host: Host {
        padding: WARP,
        arithmetic: ARITHMETIC,
        launches,
        of_block: Some(of_block),
        ..PARENT.host
    },
    ..PARENT.then(
        "13-lanes",
        "Lanes share the sum",
        "a warp for two bodies, partners split among its lanes",
    )
};

/// Two lanes' sums.
const PAIR: Sum = Sum::Rounded(2);

/// Each lane adds up its partners, then lanes are added up in pairs.
const ARITHMETIC: Arithmetic = Arithmetic {
    terms: Terms::Single,
    sums: |grid| {
        let lane = Sum::Rounded(grid.n.div_ceil(WARP));
        vec![lane, PAIR, PAIR, PAIR, PAIR, PAIR]
    },
};

fn of_block(grid: &Grid) -> u32 {
    BODIES * grid.block / WARP
}

fn launches(grid: &Grid) -> Vec<Launch> {
    let blocks = grid.n.div_ceil(of_block(grid));
    vec![Launch::row("force", blocks, grid.block)]
}
