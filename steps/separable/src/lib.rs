//! The ladder `separable`: an image of three channels is smoothed, along its rows and along its columns.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/separable/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Steps, Threads};

use problem::{Passes, Separable, Step, THREADS};

/// The ladder.
pub static LADDER: Steps<Separable> = Steps::of(
    "separable",
    &[TWO_PASSES, ONE_LAUNCH, SIXTEEN_BITS, SURFACE, SHARED_TILE, REGISTER_WINDOW],
);

/// A kernel for each direction.
const TWO_PASSES: Step = Step::first(
    "01-two-passes",
    "Two passes",
    "rows, then columns",
    THREADS[0] * THREADS[1],
    Passes::Two { between: "across" },
);

/// Both directions in one launch.
const ONE_LAUNCH: Step = Step {
    rewrite: Some("the passes are loops of one kernel"),
    host: Passes::Together,
    ..TWO_PASSES.then(
        "01x-one-launch",
        "One launch",
        "all blocks wait for each other between the passes",
    )
};

/// A smaller array between the passes.
const SIXTEEN_BITS: Step = Step {
    host: Passes::Two { between: "short across" },
    ..TWO_PASSES.then("02-sixteen-bits", "Sixteen bits", "16-bit integers between the passes")
};

const SURFACE: Step = Step {
    host: Passes::Surface,
    ..SIXTEEN_BITS.then("02x-surface", "Surface", "a surface between the passes, read as a texture")
};

/// Nothing between the passes but shared memory.
const SHARED_TILE: Step = Step {
    rewrite: Some("both passes are one kernel"),
    threads: Threads::Blocks { block: THREADS[0] * THREADS[1], stated: false },
    host: Passes::Tile,
    ..SIXTEEN_BITS.then("03-shared-tile", "Shared tile", "both passes of a tile in shared memory")
};

/// Fewer loads of it.
const REGISTER_WINDOW: Step =
    SHARED_TILE.then("04-register-window", "Register window", "four rows a thread");
