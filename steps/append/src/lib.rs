//! The ladder `append`: an unknown number of results is written to one array, one after the other. Threads must agree
//! on their places; how many of them ask for places at once is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/append/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Function, Steps, Threads};

use problem::{Append, Plan, Step};

/// The ladder.
pub static LADDER: Steps<Append> =
    Steps::of("append", &[GLOBAL_ATOMIC, PER_WARP, RANGES, PER_BLOCK, LOOK_BACK])
        .with_libraries(&[CUB]);

/// NVIDIA's.
const CUB: Step = Step::library(
    "cub",
    "CUB",
    "cub::DeviceSelect::If, which keeps the order",
    Function::Cub { code: include_str!("../cub.cu"), arrays: &["in", "out", "end"] },
    Plan::InOrder,
);

/// Threads of a block.
const BLOCK: u32 = 256;

/// Every thread asks for a place.
const GLOBAL_ATOMIC: Step = Step::first(
    "01-global-atomic",
    "Global atomic",
    "an atomic addition for each value that is kept",
    BLOCK,
    Plan::Striding,
);

/// A warp asks for its lanes.
const PER_WARP: Step = GLOBAL_ATOMIC.then(
    "02-per-warp",
    "Per warp",
    "places for all lanes of a warp by ballot and popc",
);

/// A warp asks for 64 places at a time.
const RANGES: Step = Step {
    host: Plan::WithGaps,
    ..PER_WARP.then("03-ranges", "Ranges", "64 places at a time for a warp, gaps filled at its end")
};

/// A block asks for a tile.
const PER_BLOCK: Step = Step {
    rewrite: Some("counts of rows and warps take the place of ranges"),
    threads: Threads::Blocks { block: BLOCK, stated: true },
    host: Plan::Striding,
    ..RANGES.then("04-per-block", "Per block", "places for the 4096 values of a tile")
};

/// Nobody asks: a tile looks back over those before it.
const LOOK_BACK: Step = Step {
    rewrite: Some("tickets and the look-back take the place of an atomic addition"),
    host: Plan::InOrder,
    ..PER_BLOCK.then(
        "05-look-back",
        "Look-back",
        "places by look-back over earlier tiles: the order is kept",
    )
};
